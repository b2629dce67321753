"""A scene in Taichi: MLS-MPM as DiffTaichi's programs have it, with gradients by Taichi's automatic
differentiation. Every state is stored; going back, a step's grid is filled again."""

import time

import numpy as np
import taichi as ti


settings = {}


def start(threads, folder):
    """Kernels that were compiled once are kept in the folder."""
    settings.update(arch=ti.cpu, default_fp=ti.f32, cpu_max_num_threads=threads, log_level=ti.ERROR,
                    offline_cache_file_path=folder + "/taichi")
    return "Taichi " + ".".join(str(part) for part in ti.__version__)


def forget():
    """Frees the fields of the scene before, and keeps what was compiled."""
    ti.reset()


@ti.data_oriented
class Peer:
    def __init__(self, scene):
        # with this pass of Taichi's the adjoints take more than ten minutes to compile in 3D; LLVM
        # optimizes what it leaves
        ti.init(**settings, cfg_optimization=scene.dim == 2)
        self.scene = scene
        self.n, self.dim, self.steps = scene.n, scene.dim, scene.steps
        self.nodes, self.dt, self.dx = scene.nodes, scene.dt, 1 / scene.nodes
        self.mu = scene.youngs_modulus / (2 * (1 + scene.poisson_ratio))
        nu = scene.poisson_ratio
        self.la = scene.youngs_modulus * nu / ((1 + nu) * (1 - 2 * nu))
        self.gravity = scene.gravity
        self.corotated = scene.material == "fixed_corotated"
        self.stick = scene.walls == "stick"
        self.axis = scene.axis
        self.n_actuators = scene.table.shape[1]
        self.has_target = scene.target is not None
        self.make_fields()

    def make_fields(self):
        dim = self.dim
        self.x, self.v = (ti.Vector.field(dim, ti.f32) for _ in range(2))
        self.C, self.F = (ti.Matrix.field(dim, dim, ti.f32) for _ in range(2))
        states = ti.root.dense(ti.i, self.steps + 1).dense(ti.j, self.n)
        states.place(self.x, self.v, self.C, self.F)
        self.momentum, self.velocity = (ti.Vector.field(dim, ti.f32) for _ in range(2))
        self.mass = ti.field(ti.f32)
        axes = ti.ij if dim == 2 else ti.ijk
        ti.root.dense(axes, self.nodes).place(self.momentum, self.mass, self.velocity)
        self.affine = ti.Matrix.field(dim, dim, ti.f32)  # of the step at hand
        ti.root.dense(ti.i, self.n).place(self.affine)
        self.actuator = ti.field(ti.i32, shape=self.n)
        self.table = ti.field(ti.f32)
        ti.root.dense(ti.ij, (self.steps, max(self.n_actuators, 1))).place(self.table)
        self.start_velocity = ti.Vector.field(dim, ti.f32, shape=())
        self.mean = ti.Vector.field(dim, ti.f32, shape=())
        self.loss = ti.field(ti.f32, shape=())
        ti.root.lazy_grad()
        self.start_x = ti.Vector.field(dim, ti.f32, shape=self.n)
        self.start_velocity[None] = list(self.scene.velocity)
        self.start_x.from_numpy(self.scene.x)
        self.actuator.from_numpy(self.scene.actuator)
        if self.n_actuators > 0:
            self.table.from_numpy(self.scene.table)

    # --- kernels ---------------------------------------------------------------------------

    @ti.kernel
    def begin(self):
        for p in range(self.n):
            self.x[0, p] = self.start_x[p]
            self.v[0, p] = self.start_velocity[None]
            self.F[0, p] = ti.Matrix.identity(ti.f32, self.dim)
            self.C[0, p] = ti.Matrix.zero(ti.f32, self.dim, self.dim)

    @ti.kernel
    def clear_grid(self):
        for node in ti.grouped(self.mass):
            self.mass[node] = 0
            self.momentum[node] = ti.Vector.zero(ti.f32, self.dim)
            self.mass.grad[node] = 0
            self.momentum.grad[node] = ti.Vector.zero(ti.f32, self.dim)
            self.velocity.grad[node] = ti.Vector.zero(ti.f32, self.dim)
        for p in range(self.n):
            self.affine.grad[p] = ti.Matrix.zero(ti.f32, self.dim, self.dim)

    @ti.kernel
    def clear_gradients(self):
        for step, p in self.x:
            self.x.grad[step, p] = ti.Vector.zero(ti.f32, self.dim)
            self.v.grad[step, p] = ti.Vector.zero(ti.f32, self.dim)
            self.C.grad[step, p] = ti.Matrix.zero(ti.f32, self.dim, self.dim)
            self.F.grad[step, p] = ti.Matrix.zero(ti.f32, self.dim, self.dim)
        for step, a in self.table:
            self.table.grad[step, a] = 0

    @ti.func
    def stress(self, F):
        """Kirchhoff stress P F^T"""
        J = F.determinant()
        one = ti.Matrix.identity(ti.f32, self.dim)
        tau = ti.Matrix.zero(ti.f32, self.dim, self.dim)
        if ti.static(self.corotated):
            # the rotation of F in closed form, which is for 2D
            c = F[0, 0] + F[1, 1]
            s = F[1, 0] - F[0, 1]
            scale = 1.0 / ti.sqrt(c * c + s * s)
            R = ti.Matrix([[c * scale, -s * scale], [s * scale, c * scale]])
            tau = 2 * self.mu * (F - R) @ F.transpose() + self.la * (J - 1) * J * one
        else:
            tau = self.mu * F @ F.transpose() + (self.la * ti.log(J) - self.mu) * one
        return tau

    @ti.func
    def weights(self, fx):
        return [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2]

    @ti.kernel
    def stress_particles(self, step: ti.i32):
        """F at the end of the step, and what the particle's momentum has beside v. A kernel of its
        own, because an adjoint of both in one takes Taichi too long to compile in 3D."""
        for p in range(self.n):
            F = (ti.Matrix.identity(ti.f32, self.dim) + self.dt * self.C[step, p]) @ self.F[step, p]
            self.F[step + 1, p] = F
            tau = self.stress(F)
            if ti.static(self.n_actuators > 0):
                a = self.actuator[p]
                sigma = 0.0
                if a >= 0:
                    sigma = self.table[step, a]
                pattern = ti.Matrix.zero(ti.f32, self.dim, self.dim)
                pattern[self.axis, self.axis] = sigma
                tau += F @ pattern @ F.transpose()
            self.affine[p] = -self.dt * 4 * self.nodes * self.nodes * tau + self.C[step, p]

    @ti.kernel
    def particles_to_grid(self, step: ti.i32):
        for p in range(self.n):
            x = self.x[step, p]
            base = ti.cast(x * self.nodes - 0.5, ti.i32)
            fx = x * self.nodes - ti.cast(base, ti.f32)
            w = self.weights(fx)
            last = ti.static(self.dim - 1)
            affine = self.affine[p]
            v = self.v[step, p]
            for offset in ti.static(ti.grouped(ti.ndrange(*((3,) * self.dim)))):
                third = w[offset[last]][last] if ti.static(self.dim == 3) else 1.0
                weight = w[offset[0]][0] * w[offset[1]][1] * third
                away = (ti.cast(offset, ti.f32) - fx) * self.dx
                self.momentum[base + offset] += weight * (v + affine @ away)
                self.mass[base + offset] += weight

    @ti.kernel
    def update_grid(self):
        for node in ti.grouped(self.mass):
            if self.mass[node] > 0:
                v = self.momentum[node] / self.mass[node]
                v[1] -= self.dt * self.gravity
                for a in ti.static(range(self.dim)):
                    low = node[a] < 3 and v[a] < 0
                    high = node[a] > self.nodes - 3 and v[a] > 0
                    if low or high:
                        if ti.static(self.stick):
                            v = ti.Vector.zero(ti.f32, self.dim)
                        else:
                            v[a] = 0
                self.velocity[node] = v

    @ti.kernel
    def grid_to_particles(self, step: ti.i32):
        for p in range(self.n):
            x = self.x[step, p]
            base = ti.cast(x * self.nodes - 0.5, ti.i32)
            fx = x * self.nodes - ti.cast(base, ti.f32)
            w = self.weights(fx)
            last = ti.static(self.dim - 1)
            v = ti.Vector.zero(ti.f32, self.dim)
            C = ti.Matrix.zero(ti.f32, self.dim, self.dim)
            for offset in ti.static(ti.grouped(ti.ndrange(*((3,) * self.dim)))):
                third = w[offset[last]][last] if ti.static(self.dim == 3) else 1.0
                weight = w[offset[0]][0] * w[offset[1]][1] * third
                away = ti.cast(offset, ti.f32) - fx
                # used twice. With the weight in each product, Taichi 1.7.4 takes the adjoint of x wrong
                # in 3D and single precision, unless fast_math is off
                share = weight * self.velocity[base + offset]
                v += share
                C += share.outer_product(away)
            self.v[step + 1, p] = v
            self.x[step + 1, p] = x + self.dt * v
            self.C[step + 1, p] = 4 * self.nodes * C

    @ti.kernel
    def average(self):
        for p in range(self.n):
            self.mean[None] += self.x[self.steps, p] / self.n

    @ti.kernel
    def evaluate(self):
        for a in ti.static(range(self.dim)):
            if ti.static(self.has_target):
                self.loss[None] += 0.5 * (self.mean[None][a] - self.scene.target[a]) ** 2
            else:
                self.loss[None] += self.scene.weight[a] * self.mean[None][a]

    # --- runs ------------------------------------------------------------------------------

    def fill_grid(self, step):
        self.clear_grid()
        self.stress_particles(step)
        self.particles_to_grid(step)
        self.update_grid()

    def forward(self):
        began = time.perf_counter()
        self.begin()
        for step in range(self.steps):
            self.fill_grid(step)
            self.grid_to_particles(step)
        self.mean[None] = [0.0] * self.dim
        self.loss[None] = 0
        self.average()
        self.evaluate()
        ti.sync()
        return time.perf_counter() - began

    def backward(self):
        """after forward()"""
        began = time.perf_counter()
        self.clear_gradients()
        self.mean.grad[None] = [0.0] * self.dim
        self.start_velocity.grad[None] = [0.0] * self.dim
        self.loss.grad[None] = 1
        self.evaluate.grad()
        self.average.grad()
        for step in reversed(range(self.steps)):
            self.fill_grid(step)
            self.grid_to_particles.grad(step)
            self.update_grid.grad()
            self.particles_to_grid.grad(step)
            self.stress_particles.grad(step)
        self.begin.grad()
        ti.sync()
        return time.perf_counter() - began

    def loss_value(self):
        return self.loss[None]

    def gradient(self):
        if self.n_actuators > 0:
            return self.table.grad.to_numpy()
        return np.array(self.start_velocity.grad[None])
