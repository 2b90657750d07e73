#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The width of the pages: no line of text is longer than 120 characters.

    line_width.py --root ROOT            fails if a page has a longer line, and names it
    line_width.py --root ROOT --wrap     fills the paragraphs that have one
    line_width.py --root ROOT --wrap FILE...   fills all paragraphs of these pages

Tables, headings, code and HTML comments stay as they are; so does a link that is longer by itself. A line is never broken
inside a link or a code span, nor where the next one would begin like a list, a quotation or a heading.
"""

import argparse
import pathlib
import re
import sys

WIDTH = 120
ITEM = re.compile(r"^( *)([-*+]|\d+[.)]) +(?=\S)")
VERBATIM = re.compile(r"^ {0,3}(\|.*\|\s*$|#|>|!\[|\[[^\]]+\]: |=+$|-+$|\*\*\*)")
WORD = re.compile(r"(?:`[^`]*`|!?\[[^\]]*\]\([^)\s]*\)|\S)+")
MARK = re.compile(r"^([-+*=#>|]+|\d+[.)])$")


def fill(text, first, other):
    """The words of a paragraph in lines that begin with `first` and then with `other`."""
    lines, line, empty = [], first, True
    words = WORD.findall(text)
    # A word that would begin a list, a quotation or a heading stays with the one before it.
    joined = []
    for word in words:
        if joined and MARK.match(word):
            joined[-1] += " " + word
        else:
            joined.append(word)
    for word in joined:
        if not empty and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line, empty = other, True
        line += word if empty else " " + word
        empty = False
    return lines + [line]


def blocks(text):
    """The lines of a page in groups, each with whether it is a paragraph of text."""
    group, fence, comment, before_blank, listed = [], None, False, True, False
    for line in text.splitlines():
        mark = re.match(r"^ *(```+|~~~+)", line)
        if fence or comment:
            group.append(line)
            if fence and mark and mark[1] == fence:
                yield group, False
                group, fence = [], None
            elif comment and "-->" in line:
                yield group, False
                group, comment = [], False
            continue
        indented = line.startswith("    ") and not (listed and not before_blank)
        starts = (mark or line.lstrip().startswith("<!--") or not line.strip() or VERBATIM.match(line)
                  or ITEM.match(line) or (indented and (before_blank or not group)))
        if starts and group:
            yield group, True
            group = []
        if mark:
            group, fence = [line], mark[1]
        elif line.lstrip().startswith("<!--"):
            if "-->" in line:
                yield [line], False
            else:
                group, comment = [line], True
        elif not line.strip() or VERBATIM.match(line) or (indented and not ITEM.match(line) and (before_blank or not group)):
            yield [line], False
            before_blank = not line.strip() or (indented and before_blank)
            listed = listed and not line.strip()
            continue
        else:
            listed = listed and line.startswith(" ") or bool(ITEM.match(line))
            group.append(line)
        before_blank = False
    if group:
        yield group, not (fence or comment)


def wrapped(text, everything):
    lines = []
    for group, paragraph in blocks(text):
        if paragraph and (everything or any(len(line) > WIDTH for line in group)) and not any(
                line.endswith(("  ", "\\")) for line in group):
            item = ITEM.match(group[0])
            first = item[0] if item else re.match(" *", group[0])[0]
            body = " ".join([group[0][len(first):]] + group[1:])
            group = fill(body, first, " " * len(first))
        lines += group
    return "\n".join(lines) + "\n"


def too_long(text):
    """Numbers of the lines that could be broken and are longer than they may be."""
    number = 0
    for group, paragraph in blocks(text):
        for line in group:
            number += 1
            if paragraph and len(line) > WIDTH and len(WORD.findall(line)) > 1:
                yield number, len(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--wrap", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    pages = arguments.files or [root / "README.md", *sorted((root / "docs").rglob("*.md")),
                                *sorted((root / "examples").rglob("*.md"))]
    found = []
    for page in pages:
        text = page.read_text(encoding="utf-8")
        if arguments.wrap:
            new = wrapped(text, bool(arguments.files))
            if new != text:
                page.write_text(new, encoding="utf-8")
        else:
            found += [f"{page}:{number}: {length} characters" for number, length in too_long(text)]
    if found:
        sys.exit("\n".join(found) + f"\nLines of text end at {WIDTH} characters: run docs/tools/line_width.py --root . --wrap")


if __name__ == "__main__":
    main()
