#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a class of a how-to page is not, line by line, the one that is tested.

    python3 docs/tools/check_own_classes.py --root .
"""

import argparse
import pathlib
import re
import sys

TESTS = {
    "docs/how-to/own-scheme.md": ["tests/kernel/integrators/OwnScheme.hpp", "tests/kernel/integrators/OwnScheme.cpp"],
    "docs/how-to/own-simulation.md": ["tests/kernel/simulation/OwnSimulationTest.cpp"],
}
BLOCK = re.compile(r"^<!-- block: declarations -->\n```cpp\n(.*?)^```$", re.DOTALL | re.MULTILINE)

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--root", type=pathlib.Path, required=True)
root = parser.parse_args().root
failed = False
for page, files in TESTS.items():
    tested = "".join((root / file).read_text(encoding="utf-8") for file in files)
    blocks = BLOCK.findall((root / page).read_text(encoding="utf-8"))
    others = [block for block in blocks if block not in tested]
    for block in others:
        print(f"{page}: the block that begins with '{block.splitlines()[0]}' is not in {' or '.join(files)}.")
    failed = failed or not blocks or bool(others)
sys.exit(1 if failed else 0)
