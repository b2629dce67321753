"""trajectory.xdmf as ParaView's readers see it, against particles.csv: frames, particles, a marked one.

usage: read_xdmf.py [RUN FRAMES PARTICLES MARKED [VERTICES TRIANGLES]]
Exit code 77 when this Python has no such reader; without arguments that is all it finds out.
"""
import csv
import sys

SKIPPED = 77
try:
    import vtk
except ImportError:
    sys.exit(SKIPPED)

readers = [name for name in ("vtkXdmfReader", "vtkXdmf3Reader") if hasattr(vtk, name)]
if not readers:
    sys.exit(SKIPPED)
if len(sys.argv) == 1:
    sys.exit(0)
run, frames, particles, marked = sys.argv[1], *map(int, sys.argv[2:5])
surface = tuple(map(int, sys.argv[5:7]))
failures = 0


def check(good, what):
    global failures
    if not good:
        failures += 1
        print("FAIL:", what)


def table():
    """(x, y, z, vx, vy, vz) of the marked particle, a row a frame"""
    with open(run + "/particles.csv") as file:
        rows = [row for row in csv.DictReader(file) if int(row["particle"]) == marked]
    return [[float(row.get(axis, 0)) for axis in ("x", "y", "z", "vx", "vy", "vz")] for row in rows]


def read(name):
    rows = table()
    reader = getattr(vtk, name)()
    reader.SetFileName(run + "/trajectory.xdmf")
    reader.UpdateInformation()
    key = vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()
    times = reader.GetOutputInformation(0).Get(key) or []
    check(len(times) == frames == len(rows), f"{name}: {len(times)} frames")
    for k in (0, len(times) // 2, len(times) - 1) if times else ():
        reader.UpdateTimeStep(times[k])
        grid = reader.GetOutputDataObject(0)
        if grid.IsA("vtkMultiBlockDataSet"):
            skin = grid.GetBlock(1)
            grid = grid.GetBlock(0)
            check((skin.GetNumberOfPoints(), skin.GetNumberOfCells()) == surface,
                  f"{name}: a surface of {skin.GetNumberOfPoints()}, {skin.GetNumberOfCells()}")
            check(skin.GetCellType(0) == vtk.VTK_TRIANGLE, f"{name}: no triangles")
            inside = zip(grid.GetBounds()[::2], skin.GetBounds()[::2])
            check(all(abs(a - b) < 0.01 for a, b in inside), f"{name}: frame {k}: a surface elsewhere")
        else:
            check(not surface, f"{name}: no surface")
        check(grid.GetNumberOfPoints() == particles, f"{name}: {grid.GetNumberOfPoints()} points")
        check(grid.GetNumberOfCells() == particles, f"{name}: {grid.GetNumberOfCells()} cells")
        if grid.GetNumberOfPoints() != particles:
            return
        velocity = grid.GetPointData().GetArray("v").GetTuple(marked)
        for got, wanted in zip(grid.GetPoint(marked) + velocity, rows[k]):
            check(abs(got - wanted) <= 1e-6 * max(1.0, abs(wanted)),
                  f"{name}: frame {k} has {got}, not {wanted}")
        check(grid.GetPointData().GetArray("F").GetNumberOfComponents() == 9, f"{name}: F")
        check(grid.GetPointData().GetArray("body").GetTuple(marked) == (0.0,), f"{name}: body")
    print(f"{name}: {len(times)} frames of {particles} particles")


for reader_name in readers:
    read(reader_name)
sys.exit(failures != 0)
