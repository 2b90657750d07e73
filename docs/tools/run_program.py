#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program of a page in a folder of its own, and compares what it prints with what the page says.

    run_program.py [--expected FILE] FOLDER COMMAND...

Words must be the same; numbers may differ by 2 in the last digit that the page shows, and by 1e-9 in any case (what is
zero up to rounding). A line "…" stands for any number of lines.
"""

import argparse
import pathlib
import re
import subprocess
import sys

SKIPPED = 77
NUMBER = re.compile(r"^([-+]?)(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?([,;:.)]?)$")


def last_digit(word):
    """The value of one unit in the last digit that is shown."""
    _, digits, exponent, _ = NUMBER.match(word).groups()
    decimals = len(digits.split(".")[1]) if "." in digits else 0
    return 10.0 ** (int(exponent[1:]) if exponent else 0) * 10.0**-decimals


def same_word(expected, found):
    if expected == found:
        return True
    if not NUMBER.match(expected) or not NUMBER.match(found):
        return False
    strip = lambda word: float(word.rstrip(",;:.)") or 0)
    return abs(strip(expected) - strip(found)) <= max(2.0 * last_digit(expected) * 1.0001, 1e-9)


def same_line(expected, found):
    a, b = expected.split(), found.split()
    return len(a) == len(b) and all(same_word(x, y) for x, y in zip(a, b))


def first_difference(expected, found):
    """None, or the expected line that was not found."""
    position, any_number = 0, False
    for line in expected:
        if line.strip() == "…":
            any_number = True
            continue
        while position < len(found) and any_number and not same_line(line, found[position]):
            position += 1
        if position == len(found) or not same_line(line, found[position]):
            return line
        position, any_number = position + 1, False
    return None if any_number or position == len(found) else f"(the end, not \"{found[position]}\")"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--expected", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    run = subprocess.run(arguments.command, cwd=arguments.folder, capture_output=True, text=True, encoding="utf-8")
    lines = [line for line in run.stdout.splitlines() if line.strip()]
    print("\n".join(lines[:100]))
    sys.stderr.write(run.stderr[-4000:])
    if run.returncode != 0:
        print(f"{arguments.command[0]} ended with {run.returncode}.")
        # A reader of another language that is not installed here says nothing about the page.
        return SKIPPED if "ModuleNotFoundError" in run.stderr else 1
    if arguments.expected:
        expected = arguments.expected.read_text(encoding="utf-8").splitlines()
        missing = first_difference([line for line in expected if line.strip()], lines)
        if missing is not None:
            print(f"The page says that the program prints this line, here: {missing}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
