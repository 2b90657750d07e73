# SPDX-License-Identifier: Apache-2.0
"""Looks whether a picture of the rocking block shows a block on a light ground, with forces: CheckScene.py PICTURE"""
import sys

import vtk
from vtk.util.numpy_support import vtk_to_numpy

reader = vtk.vtkPNGReader()
reader.SetFileName(sys.argv[1])
reader.Update()
picture = reader.GetOutput()
width, height, _ = picture.GetDimensions()
assert (width, height) == (300, 200), (width, height)
pixels = vtk_to_numpy(picture.GetPointData().GetScalars()).astype(int)
red, blue = pixels[:, 0], pixels[:, 2]


def part(mask):
    return mask.sum() / len(pixels)


# The block and its translucent start cover a tenth of the picture; arrows and legend are the only blue.
assert 0.05 < part(red > blue + 30) < 0.3, part(red > blue + 30)
assert 0.5 < part(pixels.min(axis=1) > 200), part(pixels.min(axis=1) > 200)
assert (blue > red + 80).sum() > 20, (blue > red + 80).sum()
