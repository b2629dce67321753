#!/usr/bin/env python3
"""Makes quadruped.stl: usage: quadruped_mesh.py FILE

A torso with a head and four legs, rounded boxes that flow into each other, in metres. The surface is
a "surface net": a vertex for each cell of a grid in which the distance changes its sign, in the
middle of where it does along the edges; a square, two triangles, for each edge of the grid where it does."""
import math
import struct
import sys

CELL = 0.0164
LOW = (-0.02, 0.0, 0.0)
COUNT = (22, 13, 16)

# middle, half of the size, radius of the edges
BOXES = [
    ((0.100, 0.084, 0.1125), (0.100, 0.030, 0.0600), 0.024),  # torso
    ((0.212, 0.106, 0.1125), (0.026, 0.024, 0.0300), 0.022),  # head
] + [((x, 0.049, z), (0.026, 0.0365, 0.0220), 0.013) for x in (0.028, 0.172) for z in (0.0785, 0.1465)]
BLEND = 0.012


def box(p, middle, half, radius):
    d = [abs(x - m) - h + radius for x, m, h in zip(p, middle, half)]
    return math.hypot(*(max(v, 0.0) for v in d)) + min(max(d), 0.0) - radius


def distance(p):
    """smooth least of all boxes"""
    d = [box(p, *b) for b in BOXES]
    least = min(d)
    return least - BLEND * math.log(sum(math.exp((least - v) / BLEND * 4.0) for v in d)) / 4.0


def point(i):
    return tuple(l + CELL * k for l, k in zip(LOW, i))


def net():
    value = {(i, j, k): distance(point((i, j, k)))
             for i in range(COUNT[0] + 1) for j in range(COUNT[1] + 1) for k in range(COUNT[2] + 1)}
    sums = {}
    squares = []
    for node, here in value.items():
        for a in range(3):
            far = tuple(n + (b == a) for b, n in enumerate(node))
            if far not in value or (here < 0) == (value[far] < 0):
                continue
            t = here / (here - value[far])
            x = [p + (t * CELL if b == a else 0.0) for b, p in enumerate(point(node))]
            u, v = (a + 1) % 3, (a + 2) % 3
            around = []
            for du, dv in ((0, 0), (-1, 0), (-1, -1), (0, -1)):
                cell = list(node)
                cell[u] += du
                cell[v] += dv
                around.append(tuple(cell))
                total = sums.setdefault(tuple(cell), [0.0, 0.0, 0.0, 0])
                for b in range(3):
                    total[b] += x[b]
                total[3] += 1
            squares.append(around if here < 0 else around[::-1])
    vertex = {cell: tuple(s / total[3] for s in total[:3]) for cell, total in sums.items()}
    faces = []
    for a, b, c, d in squares:
        p = [vertex[a], vertex[b], vertex[c], vertex[d]]
        if math.dist(p[0], p[2]) <= math.dist(p[1], p[3]):
            faces += [(p[0], p[1], p[2]), (p[0], p[2], p[3])]
        else:
            faces += [(p[0], p[1], p[3]), (p[1], p[2], p[3])]
    return faces


def main():
    faces = net()
    with open(sys.argv[1], "wb") as out:
        out.write(b"a quadruped, by quadruped_mesh.py".ljust(80, b" "))
        out.write(struct.pack("<I", len(faces)))
        for face in faces:
            out.write(struct.pack("<12fH", 0, 0, 0, *(x for p in face for x in p), 0))


main()
