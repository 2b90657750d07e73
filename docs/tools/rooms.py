#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rooms of the numerics library: no file includes a room after its own.

    rooms.py --root ROOT      fails if a file does, and names it

Files beside the rooms may be included by all, and include what they need.
"""

import argparse
import pathlib
import re
import sys

ROOMS = ["algebra", "functions", "contact", "sets", "problem", "methods", "nonlinear", "choice", "io", "distributed",
         "tools"]
INCLUDE = re.compile(r"#include <delassus/numerics/(\w+)/([^>]+)>")

def upwards(numerics):
    """Includes of later rooms."""
    for room in ROOMS:
        for file in sorted((numerics / room).rglob("*.[ch]pp")):
            name = file.relative_to(numerics).as_posix()
            for other, header in INCLUDE.findall(file.read_text(encoding="utf-8")):
                if other not in ROOMS:
                    yield f"numerics/{name} includes {other}/{header}, of no room"
                    continue
                if ROOMS.index(other) > ROOMS.index(room):
                    yield f"numerics/{name} includes {other}/{header}, of a later room"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    numerics = parser.parse_args().root / "numerics"
    unknown = [f"numerics/{path.name} is no room of rooms.py" for path in sorted(numerics.iterdir())
               if path.is_dir() and path.name not in ROOMS and any(path.glob("*.[ch]pp"))]
    found = unknown + list(upwards(numerics))
    if found:
        sys.exit("\n".join(found) + f"\nThe order is {', '.join(ROOMS)}.")


if __name__ == "__main__":
    main()
