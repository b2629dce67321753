"""A scene in NVIDIA Warp on its CPU device, which has one thread whatever is asked for. The kernels'
adjoints are those that Warp generates; going back, a step's grid is filled again."""

import time

import numpy as np
import warp as wp


def start(threads, folder):
    """Kernels that were compiled once are kept in the folder."""
    wp.config.quiet = True
    wp.config.kernel_cache_dir = folder + "/warp"
    wp.init()
    wp.set_device("cpu")
    return f"Warp {wp.config.version} (1 thread)"


def forget():
    pass


def build(dim, corotated, stick, n_actuators):
    """The kernels for a kind of scene."""
    vec = wp.types.vector(length=dim, dtype=wp.float32)
    mat = wp.types.matrix(shape=(dim, dim), dtype=wp.float32)
    last = 3 if dim == 3 else 1

    @wp.func
    def weight(fx: vec, a: int, i: int):
        f = fx[a]
        w = 0.5 * (1.5 - f) * (1.5 - f)
        if i == 1:
            w = 0.75 - (f - 1.0) * (f - 1.0)
        if i == 2:
            w = 0.5 * (f - 0.5) * (f - 0.5)
        return w

    if dim == 2:
        @wp.func
        def node_weight(fx: vec, i: int, j: int, k: int):
            return weight(fx, 0, i) * weight(fx, 1, j)

        @wp.func
        def node_offset(fx: vec, i: int, j: int, k: int):
            return vec(float(i) - fx[0], float(j) - fx[1])

        @wp.func
        def node_index(x: vec, nodes: int, i: int, j: int, k: int):
            n = float(nodes)
            return (int(x[0] * n - 0.5) + i) * nodes + int(x[1] * n - 0.5) + j

        @wp.func
        def fraction(x: vec, nodes: int):
            n = float(nodes)
            return vec(x[0] * n - float(int(x[0] * n - 0.5)), x[1] * n - float(int(x[1] * n - 0.5)))

        @wp.func
        def node_coordinate(node: int, nodes: int, a: int):
            c = node / nodes
            if a == 1:
                c = node % nodes
            return c
    else:
        @wp.func
        def node_weight(fx: vec, i: int, j: int, k: int):
            return weight(fx, 0, i) * weight(fx, 1, j) * weight(fx, 2, k)

        @wp.func
        def node_offset(fx: vec, i: int, j: int, k: int):
            return vec(float(i) - fx[0], float(j) - fx[1], float(k) - fx[2])

        @wp.func
        def node_index(x: vec, nodes: int, i: int, j: int, k: int):
            n = float(nodes)
            row = (int(x[0] * n - 0.5) + i) * nodes + int(x[1] * n - 0.5) + j
            return row * nodes + int(x[2] * n - 0.5) + k

        @wp.func
        def fraction(x: vec, nodes: int):
            n = float(nodes)
            return vec(x[0] * n - float(int(x[0] * n - 0.5)), x[1] * n - float(int(x[1] * n - 0.5)),
                       x[2] * n - float(int(x[2] * n - 0.5)))

        @wp.func
        def node_coordinate(node: int, nodes: int, a: int):
            c = node / (nodes * nodes)
            if a == 1:
                c = (node / nodes) % nodes
            if a == 2:
                c = node % nodes
            return c

    if corotated:
        @wp.func
        def stress(F: mat, mu: float, la: float):
            c = F[0, 0] + F[1, 1]
            s = F[1, 0] - F[0, 1]
            scale = 1.0 / wp.sqrt(c * c + s * s)
            R = mat(c * scale, -s * scale, s * scale, c * scale)
            J = wp.determinant(F)
            one = wp.identity(n=wp.static(dim), dtype=wp.float32)
            return 2.0 * mu * (F - R) * wp.transpose(F) + la * (J - 1.0) * J * one
    else:
        @wp.func
        def stress(F: mat, mu: float, la: float):
            one = wp.identity(n=wp.static(dim), dtype=wp.float32)
            return mu * F * wp.transpose(F) + (la * wp.log(wp.determinant(F)) - mu) * one

    if n_actuators > 0:
        @wp.func
        def actuation(F: mat, pattern: mat, table: wp.array(dtype=float), at: int):
            return table[at] * F * pattern * wp.transpose(F)
    else:
        @wp.func
        def actuation(F: mat, pattern: mat, table: wp.array(dtype=float), at: int):
            return 0.0 * F

    @wp.kernel
    def particles_to_grid(x: wp.array(dtype=vec), v: wp.array(dtype=vec), C: wp.array(dtype=mat),
                          F: wp.array(dtype=mat), actuator: wp.array(dtype=int),
                          table: wp.array(dtype=float), step: int, pattern: mat, mu: float,
                          la: float, dt: float, nodes: int, F_new: wp.array(dtype=mat),
                          mass: wp.array(dtype=float), momentum: wp.array(dtype=vec)):
        p = wp.tid()
        one = wp.identity(n=wp.static(dim), dtype=wp.float32)
        F_p = (one + dt * C[p]) * F[p]
        F_new[p] = F_p
        tau = stress(F_p, mu, la)
        if actuator[p] >= 0:
            tau = tau + actuation(F_p, pattern, table, step * wp.static(n_actuators) + actuator[p])
        n = float(nodes)
        affine = -dt * 4.0 * n * n * tau + C[p]
        fx = fraction(x[p], nodes)
        for i in range(3):
            for j in range(3):
                for k in range(wp.static(last)):
                    w = node_weight(fx, i, j, k)
                    at = node_index(x[p], nodes, i, j, k)
                    away = node_offset(fx, i, j, k) / n
                    wp.atomic_add(mass, at, w)
                    wp.atomic_add(momentum, at, w * (v[p] + affine * away))

    @wp.func
    def wall(v: vec, node: int, nodes: int):
        r = v
        for a in range(wp.static(dim)):
            c = node_coordinate(node, nodes, a)
            if (c < 3 and r[a] < 0.0) or (c > nodes - 3 and r[a] > 0.0):
                if wp.static(stick):
                    r = vec()
                else:
                    r = project(r, a)
        return r

    @wp.func
    def project(v: vec, a: int):
        axis = vec()
        axis[a] = 1.0
        return v - wp.dot(v, axis) * axis

    @wp.kernel
    def update_grid(mass: wp.array(dtype=float), momentum: wp.array(dtype=vec), fall: vec,
                    nodes: int, velocity: wp.array(dtype=vec)):
        node = wp.tid()
        if mass[node] > 0.0:
            velocity[node] = wall(momentum[node] / mass[node] + fall, node, nodes)

    @wp.kernel
    def grid_to_particles(x: wp.array(dtype=vec), velocity: wp.array(dtype=vec), dt: float,
                          nodes: int, x_new: wp.array(dtype=vec), v_new: wp.array(dtype=vec),
                          C_new: wp.array(dtype=mat)):
        p = wp.tid()
        fx = fraction(x[p], nodes)
        n = float(nodes)
        v = vec()
        C = mat()
        for i in range(3):
            for j in range(3):
                for k in range(wp.static(last)):
                    wv = node_weight(fx, i, j, k) * velocity[node_index(x[p], nodes, i, j, k)]
                    v += wv
                    C += 4.0 * n * wp.outer(wv, node_offset(fx, i, j, k))
        v_new[p] = v
        C_new[p] = C
        x_new[p] = x[p] + dt * v

    return vec, mat, particles_to_grid, update_grid, grid_to_particles


class Peer:
    def __init__(self, scene):
        self.scene = scene
        self.n, self.dim, self.steps = scene.n, scene.dim, scene.steps
        nu = scene.poisson_ratio
        self.mu = scene.youngs_modulus / (2 * (1 + nu))
        self.la = scene.youngs_modulus * nu / ((1 + nu) * (1 - 2 * nu))
        self.n_actuators = scene.table.shape[1]
        self.vec, self.mat, self.p2g, self.grid, self.g2p = build(
            self.dim, scene.material == "fixed_corotated", scene.walls == "stick", self.n_actuators)
        pattern = np.zeros((self.dim, self.dim), np.float32)
        pattern[scene.axis, scene.axis] = 1
        self.pattern = self.mat(*pattern.ravel())
        fall = [0.0] * self.dim
        fall[1] = -scene.dt * scene.gravity
        self.fall = self.vec(*fall)
        self.make_arrays()

    def make_arrays(self):
        def states(dtype):
            return [wp.zeros(self.n, dtype=dtype, requires_grad=True) for _ in range(self.steps + 1)]

        self.x, self.v, self.C, self.F = (states(t) for t in (self.vec, self.vec, self.mat, self.mat))
        self.x[0].assign(self.scene.x)
        self.v[0].assign(np.tile(np.asarray(self.scene.velocity, np.float32), (self.n, 1)))
        self.F[0].assign(np.tile(np.eye(self.dim, dtype=np.float32), (self.n, 1, 1)))
        count = self.scene.nodes**self.dim
        self.mass = wp.zeros(count, dtype=float, requires_grad=True)
        self.momentum, self.velocity = (
            wp.zeros(count, dtype=self.vec, requires_grad=True) for _ in range(2))
        self.actuator = wp.array(self.scene.actuator, dtype=int)
        table = self.scene.table.ravel() if self.n_actuators > 0 else np.zeros(1, np.float32)
        self.table = wp.array(table, dtype=float, requires_grad=True)

    def launch(self, kernel, count, inputs, outputs, adjoint):
        keys = {}
        if adjoint:
            def gradients(values):
                return [a.grad if isinstance(a, wp.array) else a for a in values]
            keys = {"adjoint": True, "adj_inputs": gradients(inputs),
                    "adj_outputs": gradients(outputs)}
        wp.launch(kernel, dim=count, inputs=inputs, outputs=outputs, **keys)

    def scatter(self, k, adjoint=False):
        s = self.scene
        self.launch(self.p2g, self.n,
                    [self.x[k], self.v[k], self.C[k], self.F[k], self.actuator, self.table, k,
                     self.pattern, self.mu, self.la, s.dt, s.nodes],
                    [self.F[k + 1], self.mass, self.momentum], adjoint)

    def update(self, adjoint=False):
        self.launch(self.grid, self.mass.shape[0],
                    [self.mass, self.momentum, self.fall, self.scene.nodes], [self.velocity], adjoint)

    def gather(self, k, adjoint=False):
        self.launch(self.g2p, self.n,
                    [self.x[k], self.velocity, self.scene.dt, self.scene.nodes],
                    [self.x[k + 1], self.v[k + 1], self.C[k + 1]], adjoint)

    def fill_grid(self, k):
        self.mass.zero_()
        self.momentum.zero_()
        self.scatter(k)
        self.update()

    def forward(self):
        began = time.perf_counter()
        for k in range(self.steps):
            self.fill_grid(k)
            self.gather(k)
        self.mean = self.x[self.steps].numpy().mean(axis=0, dtype=np.float64)
        return time.perf_counter() - began

    def seed(self):
        """dL/d(mean position)"""
        if self.scene.target is not None:
            return self.mean - self.scene.target
        return np.asarray(self.scene.weight, dtype=np.float64)

    def backward(self):
        began = time.perf_counter()
        for field in (self.x, self.v, self.C, self.F):
            for array in field:
                array.grad.zero_()
        self.table.grad.zero_()
        share = (self.seed() / self.n).astype(np.float32)
        self.x[self.steps].grad.assign(np.tile(share, (self.n, 1)))
        for k in reversed(range(self.steps)):
            self.fill_grid(k)
            for array in (self.mass, self.momentum, self.velocity):
                array.grad.zero_()
            self.gather(k, adjoint=True)
            self.update(adjoint=True)
            self.scatter(k, adjoint=True)
        return time.perf_counter() - began

    def loss_value(self):
        if self.scene.target is not None:
            return 0.5 * ((self.mean - self.scene.target) ** 2).sum()
        return (self.mean * self.scene.weight).sum()

    def gradient(self):
        if self.n_actuators > 0:
            return self.table.grad.numpy()
        return self.v[0].grad.numpy().sum(axis=0, dtype=np.float64)
