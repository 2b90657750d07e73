#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Renders a picture of the VTK series of a VtkWriter, with VTK for Python (Debian: python3-vtk9):

    render_scene.py @examples/hopper/scene.args results/hopper/vtk hopper.png

Options may stand in a file, one a line, given as @FILE. Without a display the program runs itself under xvfb-run.
"""
import argparse
import importlib.util
import math
import os
import shutil
import sys
import xml.etree.ElementTree as xml

STATUSES = {1: ("no friction", "#009E73"), 2: ("stick", "#0072B2"), 3: ("slip", "#D55E00"), 4: ("rolling", "#CC79A7")}
PALETTE = ["#4C78A8", "#E8A33D", "#6AA66A", "#C8605A", "#8A72AE", "#5FA8A8", "#B58A5B", "#8C8C8C"]
OBSTACLE = "#D9D6CE"
BACKGROUND = "#F6F7F8"


def arguments():
    parser = argparse.ArgumentParser(
        description="A picture of the VTK series of a VtkWriter", fromfile_prefix_chars="@")
    parser.convert_arg_line_to_args = lambda line: [] if line.startswith("#") else line.split()
    parser.add_argument("folder", help="Folder of bodies.pvd")
    parser.add_argument("picture", help="The .png to write")
    parser.add_argument("--time", type=float, help="Instant, s; the last frame at or before it (default: the last)")
    parser.add_argument("--ghost", type=float, action="append", default=[], metavar="TIME",
                        help="A further instant, drawn translucent, s")
    parser.add_argument("--azimuth", type=float, default=-60.0, help="Of the camera about z from x, degrees")
    parser.add_argument("--elevation", type=float, default=20.0, help="Of the camera, degrees")
    parser.add_argument("--focus", type=float, nargs=3, help="Point looked at, m (default: the middle of the bodies)")
    parser.add_argument("--distance", type=float, help="Of the camera from it, m (default: all bodies in sight)")
    parser.add_argument("--forces", type=float, default=0.0, help="Length of force arrows, m/N (default: none)")
    parser.add_argument("--longest", type=float, default=math.inf, help="Arrows are cut at this length, m")
    parser.add_argument("--arrow", type=float, help="Radius of arrows, m")
    parser.add_argument("--colour-by", choices=["part", "speed", "one"], default="part")
    parser.add_argument("--fastest", type=float, help="Speed at the end of the scale of colours, m/s")
    parser.add_argument("--colour", action="append", default=[], metavar="NAME=COLOUR",
                        help="Of parts whose names begin so ('_' stands for a space); 'none' leaves them out, "
                             "COLOUR/OPACITY makes them translucent")
    parser.add_argument("--tint", type=float, default=0.0, help="Differences of brightness from part to part")
    parser.add_argument("--trace", nargs=4, action="append", default=[], metavar=("NAME", "X", "Y", "Z"),
                        help="Path of a point in the frame of a body")
    parser.add_argument("--trace-from", type=float, default=-math.inf, help="Begin of the traces, s")
    parser.add_argument("--trace-radius", type=float, help="m")
    parser.add_argument("--axes", nargs=2, action="append", default=[], metavar=("NAME", "LENGTH"),
                        help="Draws the axes of a body, m")
    parser.add_argument("--ground", type=float, metavar="OFFSET", help="Shadows on the plane n.x = OFFSET, m")
    parser.add_argument("--normal", type=float, nargs=3, default=[0.0, 0.0, 1.0], help="n of that plane")
    parser.add_argument("--shade", default=BACKGROUND, metavar="COLOUR", help="Colour of the floor that has shadows")
    parser.add_argument("--occlusion", type=float, default=0.05,
                        help="Distance over which surfaces darken each other, of the size of the scene")
    parser.add_argument("--size", type=int, nargs=2, default=[1000, 640])
    return parser.parse_args()


options = arguments()
missing = [name for name in ("numpy", "vtk") if importlib.util.find_spec(name) is None]
if missing:
    sys.exit(f"render_scene.py: {sys.executable} lacks {' and '.join(missing)}: on Debian and Ubuntu install "
             "python3-numpy and python3-vtk9, elsewhere the packages numpy and vtk.")
if not os.environ.get("DISPLAY") and sys.platform.startswith("linux"):
    if shutil.which("xvfb-run") and not os.environ.get("RENDER_SCENE_UNDER_XVFB"):
        os.environ["RENDER_SCENE_UNDER_XVFB"] = "1"
        os.execvp("xvfb-run", ["xvfb-run", "-a", sys.executable] + sys.argv)
    sys.exit("render_scene.py: there is no display, and xvfb-run (Debian: xvfb) is not installed.")

import numpy  # noqa: E402
import vtk  # noqa: E402
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy  # noqa: E402

SAMPLES = 2  # a pixel is made of so many in each direction


# ---------------------------------------------------------------------------------------------------------- reading

def series(name):
    """[(time, path)] of a list; empty if there is none."""
    path = os.path.join(options.folder, name + ".pvd")
    if not os.path.exists(path):
        return []
    return [(float(d.get("timestep")), os.path.join(options.folder, d.get("file")))
            for d in xml.parse(path).getroot().iter("DataSet")]


def read(path):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def at(frames, time):
    """The last frame at or before an instant."""
    earlier = [path for t, path in frames if t <= time + 1e-9]
    return read(earlier[-1]) if earlier else None


def array(data, name):
    return vtk_to_numpy(data.GetArray(name))


def points(polydata):
    return vtk_to_numpy(polydata.GetPoints().GetData())


def names(polydata):
    table = polydata.GetFieldData().GetAbstractArray("names")
    return [table.GetValue(k) for k in range(table.GetNumberOfValues())]


def rotation(p):
    w, x, y, z = p
    return numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


# --------------------------------------------------------------------------------------------------------- drawing

def rgb(colour):
    return numpy.array([int(colour[k:k + 2], 16) for k in (1, 3, 5)]) / 255.0


def scale(value):
    """A scale of colours from blue over yellow to red."""
    stops = numpy.array([rgb(c) for c in ("#3B5B92", "#6FA8C9", "#F2E3A0", "#E8923D", "#B5382C")])
    place = min(max(value, 0.0), 1.0) * (len(stops) - 1)
    k = min(int(place), len(stops) - 2)
    return stops[k] + (place - k) * (stops[k + 1] - stops[k])


def chosen(name):
    """(colour, opacity) that the options give to a name, or None."""
    for entry in options.colour:
        begin, _, value = entry.partition("=")
        if name.startswith(begin.replace("_", " ")):
            colour, _, opacity = value.partition("/")
            return (None if colour == "none" else rgb(colour)), float(opacity or 1.0)
    return None


def actor_of(polydata, opacity=1.0, ambient=0.34, specular=0.2):
    normals = vtk.vtkPolyDataNormals()
    normals.SetInputData(polydata)
    normals.SetFeatureAngle(40.0)
    normals.SplittingOn()
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(normals.GetOutputPort())
    mapper.SetScalarModeToUseCellFieldData()
    mapper.SelectColorArray("colour")
    mapper.SetColorModeToDirectScalars()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    surface = actor.GetProperty()
    surface.SetAmbient(ambient)
    surface.SetDiffuse(0.75)
    surface.SetSpecular(specular)
    surface.SetSpecularPower(30.0)
    surface.SetOpacity(opacity)
    surface.SetLineWidth(2.5 * SAMPLES)
    return actor


def coloured(polydata, colours):
    """A copy with one colour (0..1) a cell."""
    copy = vtk.vtkPolyData()
    copy.ShallowCopy(polydata)
    values = numpy_to_vtk((255.0 * numpy.asarray(colours)).astype(numpy.uint8).reshape(-1, 3), deep=True)
    values.SetName("colour")
    copy.GetCellData().AddArray(values)
    return copy


def cells_of(polydata, wanted):
    """The part of the cells for which `wanted` is true."""
    ids = vtk.vtkIdTypeArray()
    for k in numpy.flatnonzero(wanted):
        ids.InsertNextValue(int(k))
    extract = vtk.vtkExtractSelection()
    node = vtk.vtkSelectionNode()
    node.SetFieldType(vtk.vtkSelectionNode.CELL)
    node.SetContentType(vtk.vtkSelectionNode.INDICES)
    node.SetSelectionList(ids)
    selection = vtk.vtkSelection()
    selection.AddNode(node)
    extract.SetInputData(0, polydata)
    extract.SetInputData(1, selection)
    surface = vtk.vtkGeometryFilter()
    surface.SetInputConnection(extract.GetOutputPort())
    surface.Update()
    return surface.GetOutput()


def speeds(time):
    """Speed of the centre of each part."""
    centres = at(series("centres"), time)
    if centres is None:
        return {}
    return {int(part): float(numpy.linalg.norm(v)) for part, v in
            zip(array(centres.GetPointData(), "part"), array(centres.GetPointData(), "velocity"))}


def colour_of(part, name, speed):
    if options.colour_by == "speed":
        return scale(speed.get(part, 0.0) / options.fastest)
    return rgb(PALETTE[0 if options.colour_by == "one" else part % len(PALETTE)])


def add_surfaces(renderer, data, time, opacity=1.0, plain=None):
    if data is None or data.GetNumberOfCells() == 0:
        return
    parts = array(data.GetCellData(), "part")
    patches = array(data.GetCellData(), "patch")
    table = names(data)
    speed = speeds(time)
    colours = numpy.zeros((len(parts), 3))
    opacities = numpy.full(len(parts), opacity)
    for part in numpy.unique(parts):
        own = chosen(table[part])
        colour = plain if plain is not None else colour_of(part, table[part], speed)
        if own is not None:
            colour = own[0]
            opacities[parts == part] *= 0.0 if colour is None else own[1]
        colours[parts == part] = (0.0, 0.0, 0.0) if colour is None else colour
    if options.tint > 0.0 and plain is None:
        colours *= (1.0 + options.tint * (numpy.modf(parts * 0.618034)[0] - 0.5))[:, None]
    colours[patches == 1] = 1.0 - 0.45 * (1.0 - colours[patches == 1])
    colours = numpy.clip(colours, 0.0, 1.0)
    whole = coloured(data, colours)
    for value in numpy.unique(opacities):
        if value > 0.0:
            renderer.AddActor(actor_of(cells_of(whole, opacities == value), value))


def add_balls(renderer, time):
    """Bodies that are only points with a radius."""
    centres = at(series("centres"), time)
    if centres is None:
        return
    speed = speeds(time)
    table = names(centres)
    everything = vtk.vtkAppendPolyData()
    found = False
    for x, radius, part in zip(points(centres), array(centres.GetPointData(), "radius"),
                               array(centres.GetPointData(), "part")):
        if radius <= 0.0:
            continue
        found = True
        source = vtk.vtkSphereSource()
        source.SetCenter(*x)
        source.SetRadius(radius)
        source.SetThetaResolution(24)
        source.SetPhiResolution(16)
        source.Update()
        colour = colour_of(int(part), table[int(part)], speed)
        everything.AddInputData(coloured(source.GetOutput(), [colour] * source.GetOutput().GetNumberOfCells()))
    if found:
        everything.Update()
        renderer.AddActor(actor_of(everything.GetOutput()))


def add_arrow(renderer, begin, vector, radius, colour):
    length = float(numpy.linalg.norm(vector))
    if length <= 0.0:
        return
    source = vtk.vtkArrowSource()
    source.SetShaftResolution(24)
    source.SetTipResolution(32)
    tip = min(0.6, 5.0 * radius / length)
    source.SetTipLength(tip)
    source.SetTipRadius(2.4 * radius / length)
    source.SetShaftRadius(radius / length)
    z = vector / length
    x = numpy.cross(z, [0.0, 0.0, 1.0] if abs(z[2]) < 0.9 else [1.0, 0.0, 0.0])
    x /= numpy.linalg.norm(x)
    y = numpy.cross(z, x)
    matrix = vtk.vtkMatrix4x4()
    for row in range(3):  # the source points along its x axis
        for column, axis in enumerate((z, x, y)):
            matrix.SetElement(row, column, length * axis[row])
        matrix.SetElement(row, 3, begin[row])
    transform = vtk.vtkTransform()
    transform.SetMatrix(matrix)
    moved = vtk.vtkTransformPolyDataFilter()
    moved.SetTransform(transform)
    moved.SetInputConnection(source.GetOutputPort())
    moved.Update()
    data = moved.GetOutput()
    renderer.AddActor(actor_of(coloured(data, [colour] * data.GetNumberOfCells()), 1.0, 0.4))


def add_forces(renderer, time, extent):
    """Arrows of the forces on the first bodies; the statuses that there are."""
    data = at(series("contacts"), time)
    found = set()
    if data is None or options.forces <= 0.0:
        return found
    radius = options.arrow or 0.004 * extent
    for x, force, status in zip(points(data) if data.GetNumberOfPoints() else [], array(data.GetPointData(), "force"),
                                array(data.GetPointData(), "status")):
        vector = options.forces * force
        length = float(numpy.linalg.norm(vector))
        if int(status) not in STATUSES or length < 2.0 * radius:
            continue
        found.add(int(status))
        add_arrow(renderer, x, vector * min(1.0, options.longest / length), radius, rgb(STATUSES[int(status)][1]))
    return found


def add_tube(renderer, line, radius, colour):
    if len(line) < 2:
        return
    source = vtk.vtkPolyLineSource()
    source.Resize(len(line))
    for k, x in enumerate(line):
        source.SetPoint(k, *x)
    tube = vtk.vtkTubeFilter()
    tube.SetInputConnection(source.GetOutputPort())
    tube.SetRadius(radius)
    tube.SetNumberOfSides(12)
    tube.Update()
    data = tube.GetOutput()
    renderer.AddActor(actor_of(coloured(data, [colour] * data.GetNumberOfCells()), 1.0, 0.5, 0.0))


def add_traces(renderer, time, extent):
    for k, (name, *local) in enumerate(options.trace):
        line = []
        for t, path in series("centres"):
            if not options.trace_from <= t <= time + 1e-9:
                continue
            data = read(path)
            part = names(data).index(name.replace("_", " "))
            row = list(array(data.GetPointData(), "part")).index(part)
            R = rotation(array(data.GetPointData(), "orientation")[row])
            line.append(points(data)[row] + R @ numpy.array([float(x) for x in local]))
        add_tube(renderer, line, options.trace_radius or 0.003 * extent, rgb(["#C8605A", "#4C78A8"][k % 2]))


def add_axes(renderer, time, extent):
    data = at(series("centres"), time)
    for name, length in options.axes:
        row = list(array(data.GetPointData(), "part")).index(names(data).index(name.replace("_", " ")))
        R = rotation(array(data.GetPointData(), "orientation")[row])
        for k, colour in enumerate(("#C8605A", "#6AA66A", "#4C78A8")):
            add_arrow(renderer, points(data)[row], float(length) * R[:, k], 0.006 * extent, rgb(colour))


def plane_of_shadows():
    """(point, normal) of the floor, or None."""
    if options.ground is None:
        return None
    normal = numpy.array(options.normal) / numpy.linalg.norm(options.normal)
    return options.ground * normal, normal


def light_direction():
    """Where the light of the shadows comes from: from above, beside the camera."""
    azimuth = math.radians(options.azimuth)
    towards = numpy.array([math.cos(azimuth), math.sin(azimuth), 0.0])
    side = numpy.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    direction = 0.25 * towards - 0.5 * side + numpy.array([0.0, 0.0, 1.0])
    return direction / numpy.linalg.norm(direction)


def add_shadows(renderer, data, extent):
    """What the surfaces shade of the floor, flat on it."""
    plane = plane_of_shadows()
    if plane is None or data is None or data.GetNumberOfPolys() == 0:
        return
    point, normal = plane
    light = light_direction()
    x = points(data).astype(float)
    heights = (x - point) @ normal
    flat = x - numpy.outer(heights / (light @ normal), light) + 2e-4 * extent * normal
    shadow = vtk.vtkPolyData()
    shadow.DeepCopy(data)
    moved = vtk.vtkPoints()
    moved.SetData(numpy_to_vtk(flat, deep=True))
    shadow.SetPoints(moved)
    shadow.GetPointData().Initialize()
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(shadow)
    mapper.ScalarVisibilityOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    actor.GetProperty().SetColor(*(0.84 * rgb(options.shade)))
    renderer.AddActor(actor)


def add_legend(renderer, statuses):
    entries = [STATUSES[k] for k in sorted(statuses)]
    for k, (word, colour) in enumerate(entries):
        text = vtk.vtkTextActor()
        text.SetInput("Force, " + word)
        style = text.GetTextProperty()
        style.SetFontSize(17 * SAMPLES)
        style.SetColor(*rgb(colour))
        style.SetFontFamilyToArial()
        style.BoldOn()
        text.SetPosition(18 * SAMPLES, (16 + 26 * (len(entries) - 1 - k)) * SAMPLES)
        renderer.AddActor2D(text)


def add_lights(renderer):
    key = vtk.vtkLight()
    key.SetLightTypeToSceneLight()
    key.SetFocalPoint(0.0, 0.0, 0.0)
    key.SetPosition(*light_direction())
    key.SetIntensity(0.8)
    renderer.AddLight(key)
    fill = vtk.vtkLight()
    fill.SetLightTypeToHeadlight()
    fill.SetIntensity(0.35)
    renderer.AddLight(fill)


def with_occlusion(renderer, extent):
    """Corners and gaps are darker, which makes the depth of piles readable."""
    occlusion = vtk.vtkSSAOPass()
    occlusion.SetRadius(options.occlusion * extent)
    occlusion.SetBias(0.002 * extent)
    occlusion.SetKernelSize(96)
    occlusion.BlurOn()
    occlusion.SetDelegatePass(vtk.vtkRenderStepsPass())
    renderer.SetPass(occlusion)


def place_camera(renderer, middle, extent):
    camera = renderer.GetActiveCamera()
    azimuth, elevation = math.radians(options.azimuth), math.radians(options.elevation)
    direction = numpy.array([math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth),
                             math.sin(elevation)])
    distance = options.distance or 2.0 * extent
    camera.SetFocalPoint(*middle)
    camera.SetPosition(*(middle + distance * direction))
    camera.SetViewUp(0.0, 0.0, 1.0)
    camera.SetViewAngle(30.0)
    renderer.ResetCameraClippingRange()


def save(window):
    image = vtk.vtkWindowToImageFilter()
    image.SetInput(window)
    image.ReadFrontBufferOff()
    image.Update()
    data = image.GetOutput()
    width, height, _ = data.GetDimensions()
    fine = vtk_to_numpy(data.GetPointData().GetScalars()).reshape(height, width, 3).astype(float)
    small = fine.reshape(height // SAMPLES, SAMPLES, width // SAMPLES, SAMPLES, 3).mean(axis=(1, 3))
    # Neighbouring tones become one, so that the file stays small.
    small = numpy.clip(4.0 * numpy.round(small / 4.0), 0, 255).astype(numpy.uint8)
    result = vtk.vtkImageData()
    result.SetDimensions(width // SAMPLES, height // SAMPLES, 1)
    result.GetPointData().SetScalars(numpy_to_vtk(small.reshape(-1, 3), deep=True))
    writer = vtk.vtkPNGWriter()
    writer.SetCompressionLevel(9)
    writer.SetFileName(options.picture)
    writer.SetInputData(result)
    writer.Write()


def main():
    frames = series("bodies")
    if not frames:
        sys.exit("render_scene.py: there is no bodies.pvd with frames in '%s'." % options.folder)
    time = options.time if options.time is not None else frames[-1][0]
    bodies = at(frames, time)
    if options.fastest is None:
        options.fastest = max([1e-9] + list(speeds(time).values()))
    shown = points(at(series("centres"), time)) if bodies.GetNumberOfPoints() == 0 else points(bodies)
    lower, upper = shown.min(axis=0), shown.max(axis=0)
    extent = float(numpy.linalg.norm(upper - lower))
    middle = numpy.array(options.focus) if options.focus else 0.5 * (lower + upper)

    renderer = vtk.vtkRenderer()
    renderer.SetBackground(*rgb(BACKGROUND))
    renderer.AutomaticLightCreationOff()
    add_surfaces(renderer, at(series("obstacles"), time), time, plain=rgb(OBSTACLE))
    add_surfaces(renderer, bodies, time)
    add_shadows(renderer, bodies, extent)
    add_balls(renderer, time)
    for k, ghost in enumerate(options.ghost):
        add_surfaces(renderer, at(frames, ghost), ghost, 0.28)
    add_traces(renderer, time, extent)
    add_axes(renderer, time, extent)
    front = vtk.vtkRenderer()  # arrows and legend: before all else, also where they are inside of bodies
    front.SetLayer(1)
    front.SetActiveCamera(renderer.GetActiveCamera())
    front.AutomaticLightCreationOff()
    add_legend(front, add_forces(front, time, extent))
    add_lights(front)
    add_lights(renderer)
    with_occlusion(renderer, extent)

    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(SAMPLES * options.size[0], SAMPLES * options.size[1])
    window.SetNumberOfLayers(2)
    window.AddRenderer(renderer)
    window.AddRenderer(front)
    place_camera(renderer, middle, extent)
    window.Render()
    save(window)


main()
