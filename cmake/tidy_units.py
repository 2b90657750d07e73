#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists what clang-tidy is to read, one file a line, out of a build whose folders are compiled as one source each.

    tidy_units.py BUILD              every source of BUILD/compile_commands.json
    tidy_units.py BUILD COMMIT       those with a file of a folder in which something differs from COMMIT

A changed header is read with its own folder; the whole tree shows what it does to others.
"""

import json
import pathlib
import re
import subprocess
import sys


def changed_folders(commit):
    """Folders with a C++ file that differs from the commit; None where what is read, or how, may differ everywhere."""
    command = ["git", "diff", "--name-only", commit, "--"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    if any(name in (".clang-tidy", "CMakePresets.json") for name in names):
        return None
    return {pathlib.Path(name).parent.resolve() for name in names if name.endswith((".cpp", ".hpp"))}


def folders_of(unit):
    sources = re.findall(r'#include "(.*\.cpp)"', unit.read_text(encoding="utf-8")) or [unit]
    return {pathlib.Path(source).parent.resolve() for source in sources}


def main():
    build, *commit = sys.argv[1:]
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text(encoding="utf-8"))
    units = sorted({pathlib.Path(entry["file"]) for entry in commands})
    folders = changed_folders(commit[0]) if commit else None
    for unit in units:
        if folders is None or folders & folders_of(unit):
            print(unit)


if __name__ == "__main__":
    main()
