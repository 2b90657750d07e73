#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs netlists with delassus-circuit and with ngspice, and prints a table of times and measures in Markdown.

    compare_with_ngspice.py [--within PERCENT] DELASSUS_CIRCUIT NETLIST...

Both read the same file. ngspice smooths the diodes by their exponential, delassus-circuit takes them as ideal with
their series resistance. With --within it ends with 1 where a measure differs by more than that. Without ngspice it says
so and ends with 77.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

MEASURE = re.compile(r"^(\w+)\s*=\s*([-+0-9.eE]+)")
LONGEST = 300  # s


def timed(command):
    """Output and wall time of the fastest of three runs; None where it fails or takes too long."""
    best, output = None, ""
    for _ in range(3):
        start = time.perf_counter()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
        except subprocess.TimeoutExpired:
            return None, ""
        seconds = time.perf_counter() - start
        if done.returncode != 0:
            return None, done.stderr
        best, output = (seconds if best is None else min(best, seconds)), done.stdout
    return best, output


def measures_of_ngspice(output):
    found = {}
    for line in output.splitlines():
        match = MEASURE.match(line.strip())
        if match:
            found[match.group(1).lower()] = float(match.group(2))
    return found


def row(program, netlist, within):
    ours, text = timed([program, "--json", netlist])
    if ours is None:
        sys.exit(f"{netlist}: delassus-circuit failed: {text}")
    result = json.loads(text)[0]
    theirs, output = timed(["ngspice", "-b", netlist])
    other = measures_of_ngspice(output)
    cells = [pathlib.Path(netlist).stem, f"{result['steps']}", f"{ours:.2f}", "-" if theirs is None else f"{theirs:.2f}"]
    for name, value in result["measures"].items():
        if name in other:
            difference = 100 * (value - other[name]) / abs(other[name])
            if within is not None and not abs(difference) <= within:
                sys.exit(f"{netlist}: {name} is {value}, and {other[name]} by ngspice")
            cells.append(f"{name} {value:.6g} / {other[name]:.6g} ({difference:+.2f} %)")
        else:
            if within is not None:
                sys.exit(f"{netlist}: ngspice has no {name}")
            cells.append(f"{name} {value:.6g} / -")
    return "| " + " | ".join(cells) + " |"


def main():
    arguments, within = sys.argv[1:], None
    if arguments[:1] == ["--within"] and len(arguments) > 1:
        within = float(arguments[1])
        arguments = arguments[2:]
    if len(arguments) < 2:
        sys.exit(__doc__)
    if shutil.which("ngspice") is None:
        print("SKIPPED: ngspice is not installed (Debian: ngspice)")
        sys.exit(77)
    print("| netlist | steps | delassus-circuit, s | ngspice, s | measures, V and A: delassus-circuit / ngspice | | |")
    print("|---|---:|---:|---:|---|---|---|")
    for netlist in arguments[1:]:
        print(row(arguments[0], netlist, within), flush=True)


if __name__ == "__main__":
    main()
