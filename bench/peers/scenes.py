"""The scenes that cqopt and its peers are timed on: those of DiffTaichi's diffmpm programs, written
down anew. A scene is particles, one material, walls, perhaps muscles driven by a table of controls,
and a loss of the mean position at the end. Positions are rounded to single precision, so that both
sides start from the same numbers."""

import numpy as np


class Scene:
    def __init__(self, **keys):
        self.actuator = None  # of each particle, -1: passive
        self.table = None  # [steps][actuators] in Pa
        self.velocity = None  # that all particles start with
        self.axis = 0  # that the muscles contract along
        self.target = None  # loss |mean x - target|^2 / 2, or
        self.weight = None  # loss weight . mean x
        self.__dict__.update(keys)
        self.x = np.asarray(self.x, dtype=np.float32)
        self.n, self.dim = self.x.shape
        if self.velocity is None:
            self.velocity = (0,) * self.dim
        if self.actuator is None:
            self.actuator = np.full(self.n, -1, dtype=np.int32)
            self.table = np.zeros((self.steps, 0), dtype=np.float32)

    def write(self, path):
        """The scene as numbers, in the order in which peer.c reads them."""
        with open(path, "w", encoding="ascii") as out:
            def line(*numbers):
                print(*numbers, file=out)

            line(self.n, self.dim, self.steps, repr(self.dt), self.nodes)
            line(int(self.walls == "stick"), self.table.shape[1])
            line(int(self.material == "fixed_corotated"), self.youngs_modulus, self.poisson_ratio,
                 self.gravity)
            line(*self.velocity)
            line(self.axis)
            line(int(self.target is not None),
                 *(self.target if self.target is not None else self.weight))
            for position, actuator in zip(self.x, self.actuator):
                line(*(repr(float(a)) for a in position), actuator)
            for row in self.table:
                line(*(repr(float(a)) for a in row))


def falling_block():
    """2D: 6,400 particles fall and land. The variable is the velocity they all start with; from rest,
    as published, the fall ends so near a switch of the contact that rounding decides it."""
    dx = 1 / 120
    x = [(dx * (0.5 * i + 10), dx * (0.5 * j + 25)) for i in range(80) for j in range(80)]
    # mu = lambda = 100
    return Scene(name="falling_block", x=x, steps=1023, dt=3e-4, nodes=120,
                 material="fixed_corotated", youngs_modulus=250, poisson_ratio=0.25, gravity=9.8,
                 walls="slip", velocity=(0.2, -0.5), target=(0.3, 0.6))


def box(low, size, counts):
    """particles in the middles of counts equal parts of each edge"""
    axes = [a + (np.arange(n) + 0.5) * s / n for a, s, n in zip(low, size, counts)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(low))


def assemble(parts):
    """(points, actuator) pairs to positions and the actuator of each"""
    x = np.concatenate([points for points, _ in parts])
    actuator = np.concatenate([np.full(len(points), a, np.int32) for points, a in parts])
    return x, actuator


def waves(steps, dt, actuators, omega, strength, amplitude):
    """controls: a sine an actuator, each with its own phase"""
    t = np.arange(steps)[:, None] * dt
    phase = 2 * np.pi * np.arange(actuators)[None, :] * 0.381966  # no two alike
    return (strength * amplitude * np.sin(omega * t + phase)).astype(np.float32)


def walker():
    """2D: a body on four muscles, 2,976 particles. The variables are the table of controls."""
    dx, steps, dt = 1 / 128, 1023, 1e-3
    parts = []
    for x, y, w, h, actuator in ((0, 0.1, 0.3, 0.1, -1), (0, 0, 0.05, 0.1, 0), (0.05, 0, 0.05, 0.1, 1),
                                 (0.2, 0, 0.05, 0.1, 2), (0.25, 0, 0.05, 0.1, 3)):
        counts = 2 * int(w / dx), 2 * int(h / dx)
        parts.append((box((0.1 + x, 0.03 + y), (w, h), counts), actuator))
    x, actuator = assemble(parts)
    return Scene(name="walker", x=x, actuator=actuator, steps=steps, dt=dt, nodes=128,
                 material="fixed_corotated", youngs_modulus=25, poisson_ratio=0.25, gravity=3.8,
                 walls="stick", axis=1, weight=(-1, 0),
                 table=waves(steps, dt, 4, omega=20, strength=4, amplitude=0.02))


def crawler():
    """3D: a body on four legs of four muscles each, 30,495 particles. The variables are the table."""
    nodes, steps, dt, edge = 64, 511, 2e-3, 0.1
    corner = np.array((0.1, 0.05, 0.3))
    parts = []

    def add(low, size, actuator):
        counts = [int(s * nodes * 3) for s in size]
        parts.append((box(corner + low, size, counts), actuator))

    for leg in range(4):
        foot = np.array((leg // 2 * 2 * edge, 0, leg % 2 * 2 * edge))
        for part in range(4):
            low = foot + (edge / 2 * (part // 2), 0.7 * edge / 2 * (part % 2), 0)
            add(low, (edge / 2, 0.7 * edge / 2, edge), 4 * leg + part)
    for part in range(3):
        add(np.array((edge * part, 0, edge)), (edge, 0.7 * edge, edge), -1)
    x, actuator = assemble(parts)
    return Scene(name="crawler", x=x, actuator=actuator, steps=steps, dt=dt, nodes=nodes,
                 material="neo_hookean", youngs_modulus=25, poisson_ratio=0.25, gravity=10,
                 walls="stick", axis=2, weight=(-1, 0, 0),
                 table=waves(steps, dt, 16, omega=40, strength=5, amplitude=0.02))


ALL = {scene.__name__: scene for scene in (falling_block, walker, crawler)}
