#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gallery: docs/gallery.md from the pages of the examples, and their pictures by running them.

    gallery.py --root ROOT                                  writes docs/gallery.md
    gallery.py --root ROOT --check                          fails if that would change it
    gallery.py --root ROOT --programs FOLDER --run FOLDER   runs the commands of each README.md under the folder, which
                                                            gets pictures/ with the names of docs/pictures

A command that fails, or a program that is not built, leaves the picture that the repository has, and is named.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

PICTURE = re.compile(r"!\[([^\]]*)\]\(\.\./\.\./docs/pictures/([^)]+)\)")
ROW = re.compile(r"^\| \[(\w+)\]\(\w+/README\.md\) \| (.*?) \|$")
SCENE = "examples/render_scene.py"
INTRODUCTION = """# Gallery

What the examples draw. Each is a program that reads from top to bottom, with a page of its equations and the commands
that made the picture; all numbers in them are options. The target `gallery` runs them all and draws the pictures again.
"""


def examples(root):
    """(name, what it shows, the text of its page), in the order of examples/README.md."""
    for line in (root / "examples/README.md").read_text(encoding="utf-8").splitlines():
        row = ROW.match(line)
        if row:
            yield row[1], row[2], (root / "examples" / row[1] / "README.md").read_text(encoding="utf-8")


def page(root):
    text = INTRODUCTION + "\n| | |\n|---|---|\n"
    for name, shows, readme in examples(root):
        title = re.sub(r" \{#.*\}$", "", readme.splitlines()[0].lstrip("# "))
        pictures = PICTURE.findall(readme)
        pictures += [(f"{title}, in space", scene.name) for scene in sorted((root / "docs/pictures").glob(f"{name}*_scene.png"))
                     if scene.name not in [file for _, file in pictures]]
        thumbnails = " ".join(f"![{caption}](pictures/{file})" for caption, file in pictures)
        program = f", [program](../examples/{name}/{name}.cpp)" if (root / "examples" / name / f"{name}.cpp").exists() else ""
        text += (f"| {thumbnails} | **[{title}](../examples/{name}/README.md)**: {shows}. "
                 f"([Equations and commands](../examples/{name}/README.md){program}.) |\n")
    return text


class Pictures:
    """Finds the pictures of a page among those that its commands draw, and copies them."""

    def __init__(self, name, into):
        self.name, self.into = name, into
        self.wanted, self.drawn, self.all_drawn, self.open = [], [], [], []

    def show(self, files):
        self.wanted += files

    def draw(self, files, is_plot):
        self.all_drawn += files
        if is_plot:
            self.drawn = files or self.drawn

    def _by_name(self, file):
        return next((p for p in self.all_drawn if file in (p.name, f"{self.name}_{p.name}")), None)

    def take(self):
        """What the last plot drew is what the page shows since then; or by name, maps.png as cam_follower_maps.png."""
        for file in self.wanted:
            source = self._by_name(file) or (self.drawn[0] if len(self.drawn) == len(self.wanted) == 1 else None)
            if source:
                shutil.copyfile(source, self.into / file)
            else:
                self.open.append(file)
        self.wanted, self.drawn = [], []

    def finish(self):
        """The names of pictures that were not drawn; those of scenes are, by commands that follow them."""
        self.take()
        self.wanted, self.open = self.open, []
        self.take()
        return self.open


def python_with_vtk():
    """Debian's VTK belongs to Debian's Python, which need not be the first in the path."""
    for python in (sys.executable, "python3", "/usr/bin/python3"):
        try:
            if subprocess.run([python, "-c", "import vtk"], capture_output=True, check=False).returncode == 0:
                return python
        except OSError:
            pass
    return None


def run(root, programs, folder, only):
    """Runs what the pages say, in their order, and takes the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pictures").mkdir(exist_ok=True)
    if not (folder / "examples").exists():
        (folder / "examples").symlink_to(root / "examples")
    built = {path.name for path in programs.iterdir() if path.is_file() and os.access(path, os.X_OK)}
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    python = python_with_vtk()
    if not python:
        print("Scenes are not drawn: there is no VTK for Python (Debian: python3-vtk9).")
    missed = []
    for name, _, readme in examples(root):
        if only and name not in only:
            continue
        pictures = Pictures(name, folder / "pictures")
        print(f"{name} …", flush=True)
        for line in readme.splitlines():
            pictures.show([file for _, file in PICTURE.findall(line)])
            command = line.strip()
            first = command.partition(" ")[0] if line.startswith("    ") else ""
            if first == "gnuplot":
                pictures.take()
            if first == SCENE and python:
                command = f"{python} {command}"
            elif first not in built | {"gnuplot"}:
                continue
            pictures.draw(new_pictures(command, folder, environment), first != SCENE)
        missed += pictures.finish()
    if missed:
        print("Not drawn again: " + ", ".join(missed))


def new_pictures(command, folder, environment):
    """Runs a command and gives the pictures that it left."""
    def there():
        return {p: p.stat().st_mtime_ns for where in ("*.png", "results/**/*.png") for p in folder.glob(where)}

    before = there()
    try:
        subprocess.run(command, shell=True, cwd=folder, env=environment, check=True, timeout=1200, stdout=subprocess.DEVNULL)
    except subprocess.SubprocessError as error:
        print(f"  {command}: {error}", flush=True)
    return [path for path, time in there().items() if before.get(path) != time]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("--run", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", help="names of examples")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    gallery = root / "docs/gallery.md"
    if arguments.run:
        run(root, arguments.programs.resolve(), arguments.run.resolve(), arguments.only)
    elif arguments.check:
        if not gallery.exists() or gallery.read_text(encoding="utf-8") != page(root):
            sys.exit("docs/gallery.md is not what the examples say: run docs/tools/gallery.py --root .")
    else:
        gallery.write_text(page(root), encoding="utf-8")


if __name__ == "__main__":
    main()
