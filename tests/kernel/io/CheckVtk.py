# SPDX-License-Identifier: Apache-2.0
"""Opens the series of vtk_test_scene with VTK's own reader and compares them with its table: CheckVtk.py FOLDER"""
import csv
import os
import sys
import xml.etree.ElementTree as xml

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

failures = 0


def expect(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)


def near(a, b, tolerance):
    return len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b))


def series(folder, name):
    """[(time, path)] of a .pvd file."""
    root = xml.parse(os.path.join(folder, name + ".pvd")).getroot()
    return [(float(d.get("timestep")), os.path.join(folder, d.get("file"))) for d in root.iter("DataSet")]


def read(path):
    errors = []
    reader = vtkXMLPolyDataReader()
    reader.AddObserver("ErrorEvent", lambda *args: errors.append(args))
    expect(reader.CanReadFile(path), "VTK takes " + path)
    reader.SetFileName(path)
    reader.Update()
    expect(not errors, "no errors in " + path)
    return reader.GetOutput()


def field(data, name):
    array = data.GetArray(name)
    expect(array is not None, "there is an array " + name)
    return vtk_to_numpy(array)


def names(polydata, table="names"):
    array = polydata.GetFieldData().GetAbstractArray(table)
    return [array.GetValue(k) for k in range(array.GetNumberOfValues())]


def rotate(p, x):
    """R(p) x of a unit quaternion, scalar first."""
    w, u = p[0], p[1:]
    cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    t = cross(u, x)
    s = cross(u, t)
    return [x[i] + 2.0 * (w * t[i] + s[i]) for i in range(3)]


folder = sys.argv[1]
rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(os.path.join(folder, "trajectory.csv")))]

# Centres: the states to the last bit.
centres = series(folder, "centres")
expect(len(centres) == len(rows) == 51, "a frame every ten steps of 500, and the first")
for (time, path), row in zip(centres, rows):
    data = read(path)
    expect(time == row["t"], "the time in the list")
    expect(field(data.GetFieldData(), "TimeValue")[0] == row["t"], "the time in the file")
    expect(names(data) == ["box", "ball", "puck", "string", "floor"], "the table of names")
    points = vtk_to_numpy(data.GetPoints().GetData())
    orientations = field(data.GetPointData(), "orientation")
    expect(list(field(data.GetPointData(), "part")) == [0, 1, 2], "the bodies of the points")
    for k, body in enumerate(("box", "ball")):
        expect(list(points[k]) == [row[body + c] for c in (" x", " y", " z")], "the position of the " + body)
        expect(list(orientations[k]) == [row[body + " p%d" % i] for i in range(4)], "the orientation of the " + body)
    expect(list(points[2]) == [row["puck x"], row["puck y"], row["puck z"] + 0.01], "the place of the puck")
    key = data.GetPointData().GetArray("velocity").UNITS_LABEL()
    expect(data.GetPointData().GetArray("velocity").GetInformation().Get(key) == "m/s", "the unit of the velocity")

# Surfaces: the corners of the box, the points of the ball on its sphere, the line.
for (time, path), row in zip(series(folder, "bodies"), rows):
    data = read(path)
    points = vtk_to_numpy(data.GetPoints().GetData())
    parts = field(data.GetCellData(), "part")
    expect(data.GetNumberOfLines() == 1 and parts[0] == 3, "the line is the first cell")
    p = [row["box p%d" % i] for i in range(4)]
    corner = rotate(p, [-0.2, -0.15, -0.1])
    expected = [row["box x"] + corner[0], row["box y"] + corner[1], row["box z"] + corner[2]]
    expect(near(points[0], expected, 1e-6), "a corner of the box")
    for cell in range(data.GetNumberOfCells()):
        if parts[cell] != 1:
            continue
        ids = data.GetCell(cell).GetPointIds()
        for k in range(ids.GetNumberOfIds()):
            x = points[ids.GetId(k)]
            distance = sum((x[i] - row["ball " + "xyz"[i]]) ** 2 for i in range(3)) ** 0.5
            expect(abs(distance - 0.1) < 1e-6, "a point of the ball")

# Contacts: forces against weights, the friction cone, statuses.
weight = 2.0 * 9.81
statuses = set()
for (time, path), row in zip(series(folder, "contacts"), rows):
    data = read(path)
    part = field(data.GetPointData(), "first_part")
    expect(list(part) == 8 * [0] + [1, 2], "eight contacts of the box, one of ball and puck")
    expect(names(data, "interaction_names")[0] == "under the box", "names of interactions")
    force = field(data.GetPointData(), "force")
    normal = field(data.GetPointData(), "normal_force")
    tangential = field(data.GetPointData(), "tangential_force")
    status = field(data.GetPointData(), "status")
    gap = field(data.GetPointData(), "gap")
    points = vtk_to_numpy(data.GetPoints().GetData())
    if time > 0.0:
        expect(abs(force[part == 0, 2].sum() - weight) < 1e-6 * weight, "the box carries its weight at %g" % time)
    expect(abs(normal[part == 0].sum() - row["box force"]) < 1e-12 * weight, "the force on the box")
    expect(normal[8] == row["ball force"], "the force on the ball")
    for k, body in ((8, "ball"), (9, "puck")):
        length = sum(x * x for x in tangential[k]) ** 0.5
        expect(abs(length - row[body + " friction"]) < 1e-9, "friction of the " + body)
        expect(length <= 0.3 * normal[k] * (1.0 + 1e-6) + 1e-12, "the friction cone")
        statuses.add((body, int(status[k])))
    expect(abs(gap[8] - (row["ball z"] - 0.1)) < 1e-12, "the gap of the ball")
    expect(near(points[8], [row["ball x"], row["ball y"], 0.5 * gap[8]], 1e-12), "the point under the ball")
expect({("ball", 0), ("ball", 3), ("puck", 3), ("puck", 2)} <= statuses, "open, slip and stick: %s" % statuses)

obstacles = series(folder, "obstacles")
expect(len(obstacles) == 1 and read(obstacles[0][1]).GetNumberOfPolys() == 1, "the floor, once")
print("%d frames checked, %d failures" % (len(rows), failures))
sys.exit(1 if failures else 0)
