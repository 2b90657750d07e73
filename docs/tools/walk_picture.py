#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/pictures/walk_of_a_velocity.svg: the rooms that a velocity goes through in one step, and what happens there.

    python3 docs/tools/walk_picture.py --root .
"""

import argparse
import html
import pathlib

ROOMS = ["simulation", "integrators", "systems, relations", "problems", "numerics"]
# (column, room, number of the first file there, what happens)
STOPS = [
    (0, 0, "1", ["v at t"]),
    (1, 1, "4", ["y + ½ h ẏ ≤ 0 ?"]),
    (2, 2, "5", ["M, F, G"]),
    (3, 1, "9", ["v_free,", "W⁻¹Gᵀ"]),
    (4, 3, "13", ["q_D = G v_free + e ẏ", "W_D = Σ G W⁻¹Gᵀ"]),
    (5, 4, "21", ["0 ≤ w ⟂ λ ≥ 0", "and its certificate"]),
    (6, 3, "", ["λ"]),
    (7, 1, "", ["v⁺ = v_free", "+ W⁻¹Gᵀλ"]),
    (8, 0, "25", ["v⁺ at t + h,", "observers"]),
]
LEFT, TOP, COLUMN, ROW = 180, 10, 134, 92
WIDTH, HEIGHT = LEFT + COLUMN * len(STOPS) + 10, TOP + ROW * len(ROOMS) + 10


def place(stop):
    return LEFT + COLUMN * stop[0] + COLUMN / 2, TOP + ROW * stop[1] + 26


def text(x, y, words, size=13, anchor="middle", weight="normal", fill="#222"):
    return (f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
            f'fill="{fill}">{html.escape(words)}</text>')


def picture():
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
             'font-family="DejaVu Sans, Arial, sans-serif">',
             '<title>A velocity in one step, from room to room</title>',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    for k, room in enumerate(ROOMS):
        fill = "#eef3f8" if k % 2 == 0 else "#f8f8f4"
        lines.append(f'<rect x="10" y="{TOP + ROW * k}" width="{WIDTH - 20}" height="{ROW}" fill="{fill}"/>')
        lines.append(text(24, TOP + ROW * k + 50, room, 15, "start", "bold", "#345"))
    # From room to room between the columns, where no words are.
    corners = [place(STOPS[0])]
    for (x0, y0), (x1, y1) in zip(map(place, STOPS), map(place, STOPS[1:])):
        corners += [((x0 + x1) / 2, y0), ((x0 + x1) / 2, y1), (x1, y1)]
    path = " ".join(f"{x:g},{y:g}" for x, y in corners)
    lines.append(f'<polyline points="{path}" fill="none" stroke="#c44e1b" stroke-width="2.5" stroke-linejoin="round"/>')
    # Newton's loop, from the new velocity back to the scheme.
    (x1, y1), (x0, y0) = place(STOPS[7]), place(STOPS[3])
    lines.append(f'<path d="M{x1:g},{y1 - 7:g} C{x1 - 90:g},{y1 - 62:g} {x0 + 90:g},{y0 - 62:g} {x0:g},{y0 - 13:g}" '
                 'fill="none" stroke="#c44e1b" stroke-width="1.5" stroke-dasharray="6 4"/>')
    lines.append(text((x0 + x1) / 2, y0 - 58, "again, until the residual is small", 12, fill="#a03c10"))
    for stop in STOPS:
        x, y = place(stop)
        lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="{13 if stop[2] else 7}" fill="#c44e1b"/>')
        lines.append(text(x, y + 4.5, stop[2], 12, weight="bold", fill="#fff"))
        for k, words in enumerate(stop[3]):
            lines.append(text(x, y + 32 + 16 * k, words, 12))
    return "\n".join(lines + ["</svg>"]) + "\n"


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--root", type=pathlib.Path, required=True)
root = parser.parse_args().root
(root / "docs/pictures/walk_of_a_velocity.svg").write_text(picture(), encoding="utf-8")
