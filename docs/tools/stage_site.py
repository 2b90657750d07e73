#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the sources of the site together.

    stage_site.py --root ROOT --output FOLDER [--pictures FOLDER] [--tags api.tag]

Copies README.md, docs/ and the pages of examples/ with what they link to, in the tree of the repository, so that links work
in both. On the way: labels of Doxygen behind headings go; the links of docs/index.md become the navigation; entries of it
whose page is not there are left out, and named; pictures that the examples have just drawn take the place of those in
docs/pictures; docs/api.md gets the list of all classes.
"""

import argparse
import json
import pathlib
import re
import shutil
import xml.etree.ElementTree as ElementTree

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
ENTRY = re.compile(r"^( *)- \[([^\]]+)\]\(([^)]+)\)")


def outside_code(text):
    """The lines of a page with whether they are text (and not fenced or indented code)."""
    fenced = False
    for line in text.splitlines():
        mark = line.lstrip().startswith("```")
        yield line, not (fenced or mark or line.startswith("    "))
        fenced ^= mark


def copy(source, target):
    if not target.exists() or source.stat().st_mtime > target.stat().st_mtime:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def write(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def classes_of(tags):
    """Public classes of Doxygen's tag file: (name without delassus::, its page), in order."""
    found = []
    for compound in ElementTree.parse(tags).getroot().iter("compound"):
        if compound.get("kind") in ("class", "struct"):
            name, page = compound.findtext("name"), compound.findtext("filename")
            if name.startswith("delassus::") and "<" not in name:
                found.append((name[len("delassus::"):], page if page.endswith(".html") else page + ".html"))
    return sorted(found, key=lambda entry: entry[0].lower())


def index_page(text, folder):
    """docs/index.md with its links as navigation, without those whose pages are not there."""
    lines, toctrees, caption = [], [], None
    for line in text.splitlines():
        heading, entry = re.match(r"^## (.*)", line), ENTRY.match(line)
        if heading:
            caption = heading[1]
            toctrees.append((caption, []))
        if entry and caption:
            if not (folder / entry[3]).exists():
                print(f"docs/index.md: {entry[3]} is not there, and is left out.")
                continue
            # Entries of a second level stand in the navigation of the page above them.
            if not entry[1]:
                toctrees[-1][1].append((entry[2], entry[3]))
        lines.append(line)
    for caption, entries in toctrees:
        lines += ["", "```{toctree}", ":hidden:", f":caption: {caption}"]
        lines += [f"{title} <{target}>" for title, target in entries] + ["```"]
    return "\n".join(lines) + "\n"


def with_children(text, index, page):
    """A page with the entries below it in docs/index.md as navigation."""
    children, below = [], False
    for line in index.splitlines():
        entry = ENTRY.match(line)
        if entry and not entry[1]:
            below = entry[3] == page
        elif entry and below:
            children.append(entry[3].split("/")[-1])
    if not children:
        return text
    return text + "\n".join(["", "```{toctree}", ":hidden:", *children, "```", ""])


def stage(arguments):
    root, output = arguments.root.resolve(), arguments.output
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted((root / "examples").rglob("*.md"))]
    index = (root / "docs/index.md").read_text(encoding="utf-8")
    staged = set()
    for page in pages:
        relative = page.relative_to(root)
        text = page.read_text(encoding="utf-8")
        for line, is_text in outside_code(text):
            for target in LINK.findall(re.sub(r"`[^`]*`", "", line)) if is_text else ():
                linked = (page.parent / target).resolve()
                if "://" not in target and linked.is_file() and linked.suffix != ".md":
                    copy(linked, output / linked.relative_to(root))
                    staged.add(output / linked.relative_to(root))
        text = "\n".join(re.sub(r"^(#+ .*?) \{#[\w-]+\}$", r"\1", line) for line in text.splitlines()) + "\n"
        if relative == pathlib.Path("docs/index.md"):
            text = index_page(text, page.parent)
        elif relative.parts[0] == "docs":
            text = with_children(text, index, str(relative.relative_to("docs")))
        if relative == pathlib.Path("docs/api.md") and arguments.tags and arguments.tags.exists():
            classes = classes_of(arguments.tags)
            # Of two classes of one name (in a namespace within), none can be meant by the name alone.
            names = [name.split("::")[-1] for name, _ in classes]
            write(output / "classes.json", json.dumps({n: p for n, (_, p) in zip(names, classes) if names.count(n) == 1}))
            text += "\n## All classes\n\n<p><a href=\"../api/index.html\">Pages of Doxygen</a></p>\n\n<ul>\n" + "".join(
                f'<li><a href="../api/{page}"><code>{name}</code></a></li>\n' for name, page in classes) + "</ul>\n"
        if relative.name == "README.md" and relative.parts[0] == "examples" and len(relative.parts) == 3:
            text = "---\norphan: true\n---\n\n" + text
        elif relative.parts[:2] == ("docs", "decisions") and relative.name != "README.md" or relative.parts[0] == "README.md":
            text = "---\norphan: true\n---\n\n" + text
        write(output / relative, text)
        staged.add(output / relative)
    if arguments.pictures and arguments.pictures.is_dir():
        for picture in arguments.pictures.glob("*.png"):
            copy(picture, output / "docs/pictures" / picture.name)
    for old in [path for path in output.rglob("*") if path.is_file()]:
        if old not in staged and old.name != "classes.json":
            old.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--tags", type=pathlib.Path)
    stage(parser.parse_args())


if __name__ == "__main__":
    main()
