#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists what clang-tidy is to read, one file a line, out of a build whose folders are compiled as one source each.

    tidy_units.py BUILD                      every source of BUILD/compile_commands.json
    tidy_units.py BUILD COMMIT               those with a file of a folder in which something differs from COMMIT
    tidy_units.py BUILD COMMIT --alone       commands that compile the sources of these folders one by one

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


def alone(entry, folders):
    """Commands that look at the sources of a unit each by itself, as in a build whose folders are not joined."""
    unit = entry["file"]
    if "/Unity/" not in unit:
        return
    for source in re.findall(r'#include "(.*\.cpp)"', pathlib.Path(unit).read_text(encoding="utf-8")):
        if folders is None or pathlib.Path(source).parent.resolve() in folders:
            command = re.sub(r" -o \S+", " -fsyntax-only", entry["command"])
            yield f"cd {entry['directory']} && " + command.replace(f"-c {unit}", f"-c {source}")


def main():
    build, *rest = sys.argv[1:]
    commit = [argument for argument in rest if argument != "--alone"]
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text(encoding="utf-8"))
    folders = changed_folders(commit[0]) if commit else None
    if "--alone" in rest:
        for entry in commands:
            print(*alone(entry, folders), sep="\n")
        return
    for unit in sorted({pathlib.Path(entry["file"]) for entry in commands}):
        if folders is None or folders & folders_of(unit):
            print(unit)


if __name__ == "__main__":
    main()
