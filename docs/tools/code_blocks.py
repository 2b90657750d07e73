#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns the code blocks of the pages into programs.

    code_blocks.py --root ROOT --output FOLDER PAGE...     writes FOLDER/*.cpp, FOLDER/*.py, FOLDER/programs.cmake
    code_blocks.py --root ROOT PAGE...                     says what is run and what is not

The rules:

- A cpp block with `int main` is a program by itself.
- The other cpp blocks of a page are statements. In order they make one program: their #include lines come first, then
  `using namespace delassus;`, then the statements as the body of main.
- An output block says what the program before it prints: a whole program nothing else, statements among other lines.
  Numbers are compared with a tolerance; a line of "…" alone stands for any number of lines.
- The python blocks of a page are one script, run in the same folder after the programs of the page; so are those of
  gnuplot.

Comments in the page, which no reader sees, change this:

    <!-- blocks: separate -->            in this page each block has a scope of its own and sees no earlier one
    <!-- block: new -->                  a new scope begins: the blocks that follow do not see earlier ones
    <!-- block: declarations -->         the next block goes to namespace scope (functions, templates)
    <!-- block: skip: REASON -->         the next block is not compiled, for this reason
    <!-- block: hidden                   statements or #include lines that the reader need not see,
    ...                                  up to the end of the comment
    -->

Indented blocks are for formulae and commands: a line of one that looks like a statement of C++ is refused, since nothing
would compile it.
"""

import argparse
import collections
import pathlib
import re

# What a reader sees as code and no test runs. Any other language of a block is a mistake.
SHOWN = ("cmake", "sh", "text", "json", "ini", "dot", "julia", "matlab")
# Languages of scripts, with the ends of their files.
SCRIPTS = {"python": "py", "gnuplot": "gp"}
# Programs that are compiled as one source.
JOINED = 12


class Block:
    def __init__(self, language, line, lines):
        self.language, self.line, self.lines = language, line, lines
        self.new = self.declarations = False
        self.skip = None

    def is_program(self):
        return any(re.match(r"int main\(", line) for line in self.lines)


class Program:
    """A C++ program of a page: what it is made of, and what it prints."""

    def __init__(self, name, page):
        self.name, self.page = name, page
        self.blocks, self.expected = [], []

    def parts(self):
        """Its #include lines, and what follows them, whose function `run` is the program."""
        includes, declarations, scopes = [], [], []
        for block in self.blocks:
            if block.new or not scopes:
                scopes.append([])
            place = declarations if block.declarations else scopes[-1]
            place.append(self.at(block.line))
            for offset, line in enumerate(block.lines):
                if line.startswith("#include"):
                    includes.append(self.at(block.line + offset) + line + "\n")
                    line = ""
                place.append(line + "\n")
        if self.blocks[0].is_program():
            return includes, whole_program(scopes[0])
        functions = [f"static int scope{i}() {{\n{''.join(scope)}  return 0;\n}}\n\n" for i, scope in enumerate(scopes)]
        calls = " || ".join(f"scope{i}()" for i in range(len(scopes)))
        return includes, ("using namespace delassus;\n\n" + "".join(declarations) + "\n" + "".join(functions) +
                          f"int run(int, char**) {{\n  return {calls};\n}}\n")

    def at(self, line):
        return f'#line {line} "{self.page}"\n'


def whole_program(lines):
    """The lines of a program whose main is called run."""
    lines = [re.sub(r"^int main\(.*\)", "int run([[maybe_unused]] int argc, [[maybe_unused]] char** argv)", line)
             for line in lines]
    end = len(lines) - 1 - lines[::-1].index("}\n")
    return "".join(lines[:end] + ["  return 0;\n"] + lines[end:])


def joined(programs):
    """Several programs as one source, each in a namespace of its own: to compile one takes little longer."""
    includes = [line for program in programs for line in program.parts()[0]]
    bodies = [f"namespace {program.scope} {{\n{program.parts()[1]}}}\n\n" for program in programs]
    return ("#include <delassus/delassus.hpp>\n\n#include <cmath>\n#include <iostream>\n" + "".join(includes) + "\n" +
            "".join(bodies))


def caller(programs):
    """The main function that runs the program whose name is the first argument."""
    table = "".join(f'    {{"{program.name}", {program.scope}::run}},\n' for program in programs)
    declarations = "".join(f"namespace {program.scope} {{ int run(int, char**); }}\n" for program in programs)
    return ("#include <exception>\n#include <iostream>\n#include <map>\n#include <string>\n\n" + declarations +
            "\nint main(int argc, char** argv) try {\n" +
            "  const std::map<std::string, int (*)(int, char**)> programs{\n" + table + "  };\n" +
            "  return programs.at(argc > 1 ? argv[1] : \"\")(argc - 1, argv + 1);\n" +
            "} catch (const std::exception& error) {\n  std::cerr << error.what() << '\\n';\n  return 1;\n}\n")


def looks_like_cpp(line):
    return "std::" in line or re.sub(r"\s//.*$", "", line).rstrip().endswith(";")


def marks_and_blocks(page):
    """Yields ("mark", text, None) and ("block", None, Block) in the order of the page."""
    lines = page.read_text(encoding="utf-8").splitlines()
    i, in_code = 0, False
    while i < len(lines):
        # Indented lines right after text belong to it: the next lines of an item of a list.
        starts_code = in_code or i == 0 or not lines[i - 1].strip()
        in_code = starts_code and (lines[i].startswith("    ") or in_code and not lines[i].strip())
        fence = re.match(r"^( *)(```+)\s*(\S*)\s*$", lines[i])
        mark = re.match(r"^<!-- blocks?: (.*?)(\s*-->)?$", lines[i])
        if not fence and not mark or mark and mark.group(2):
            if mark:
                yield "mark", mark.group(1), None
            elif in_code and looks_like_cpp(lines[i]):
                raise SystemExit(f"{page}:{i + 1}: this looks like C++ in an indented block, which is never compiled; "
                                 "make it a block of cpp, or of text if it is not C++ of this library.")
            i += 1
            continue
        begin = i + 1
        end_line, indent, language = ("-->", 0, "hidden") if mark else (fence[2], len(fence[1]), fence[3])
        i = begin
        while i < len(lines) and lines[i].strip() != end_line:
            i += 1
        if i == len(lines):
            raise SystemExit(f"{page}:{begin}: this block does not end.")
        yield "block", None, Block(language, begin + 1, [line[indent:] for line in lines[begin:i]])
        i += 1


class Page:
    """The programs of a page, and a list of what is not run."""

    def __init__(self, root, path):
        self.path = path
        relative = path.relative_to(root)
        parts = [part for part in relative.with_suffix("").parts if part not in ("docs", "README")] or ["readme"]
        self.slug = "-".join(parts)
        self.programs, self.not_run, self.count = [], [], collections.Counter()
        self.scripts = {language: [] for language in SCRIPTS}
        self.read()

    def read(self):
        separate, fresh, declarations, skip = False, False, False, None
        current = None
        for kind, text, block in marks_and_blocks(self.path):
            if kind == "mark":
                if text == "separate":
                    separate = True
                elif text == "new":
                    fresh = True
                elif text == "declarations":
                    declarations = True
                elif text.startswith("skip: "):
                    skip = text[len("skip: "):]
                else:
                    raise SystemExit(f"{self.path}: \"{text}\" is not a mark that code_blocks.py knows.")
                continue
            if skip:
                self.not_run.append((block, skip))
                skip = None
            elif block.language in ("cpp", "hidden"):
                self.count["cpp"] += block.language == "cpp"
                if block.is_program():
                    self.programs.append(Program(self.name(), self.path))
                    self.programs[-1].blocks.append(block)
                    continue
                if current is None:
                    current = Program(self.name(), self.path)
                    self.programs.append(current)
                block.new, block.declarations, declarations = fresh, declarations, False
                current.blocks.append(block)
                fresh = separate and block.language == "cpp"
            elif block.language == "output":
                if not self.programs:
                    raise SystemExit(f"{self.path}:{block.line}: no program before this output.")
                self.programs[-1].expected.append(block)
                self.count["output"] += 1
            elif block.language in SCRIPTS:
                self.scripts[block.language].append(block)
                self.count["scripts"] += 1
            elif block.language in SHOWN:
                self.not_run.append((block, "shown only"))
            else:
                raise SystemExit(f"{self.path}:{block.line - 1}: a code block needs a language that is known here "
                                 f"(cpp, output, {', '.join([*SCRIPTS, *SHOWN])}), not \"{block.language}\".")

    def name(self):
        return self.slug if not self.programs else f"{self.slug}.{len(self.programs) + 1}"


def write_if_changed(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def generate(pages, folder):
    folder.mkdir(parents=True, exist_ok=True)
    programs = {"kernel": [], "collision": []}
    tests, scripts = [], []
    for page in pages:
        for program in page.programs:
            component = "collision" if "delassus/kernel/collision/" in "".join(program.parts()[0]) else "kernel"
            program.scope = f"program_{sum(len(list) for list in programs.values())}"
            programs[component].append(program)
            between = "" if program.blocks[0].is_program() else "…\n"
            expected = between + "".join("\n".join(block.lines) + "\n" + between for block in program.expected)
            if program.expected:
                write_if_changed(folder / f"{program.name}.output", expected)
            elif (folder / f"{program.name}.output").exists():
                (folder / f"{program.name}.output").unlink()
            tests.append(f"docs_program({program.name} {component})\n")
        for language, blocks in page.scripts.items():
            if not blocks:
                continue
            # Blank lines up to each block, so that messages have the lines of the page.
            text, line = "", 1
            for block in blocks:
                text += "\n" * (block.line - line) + "\n".join(block.lines) + "\n"
                line = block.line + len(block.lines)
            write_if_changed(folder / f"{page.slug}.{SCRIPTS[language]}", text)
            names = " ".join(program.name for program in page.programs)
            scripts.append(f"docs_script({language} {page.slug}.{SCRIPTS[language]} {page.slug} {names})\n")
    targets = []
    for component, members in programs.items():
        groups = [members[i:i + JOINED] for i in range(0, len(members), JOINED)]
        sources = [f"{component}.{number}.cpp" for number in range(len(groups))]
        for source, group in zip(sources, groups):
            write_if_changed(folder / source, joined(group))
        write_if_changed(folder / f"{component}.cpp", caller(members))
        targets.append(f"docs_programs({component} {component}.cpp {' '.join(sources)})\n")
    write_if_changed(folder / "programs.cmake", "".join(targets + tests + scripts))


def report(pages):
    total = collections.Counter()
    for page in pages:
        total.update(page.count)
        total["programs"] += len(page.programs)
    print(f"{total['cpp']} blocks of C++ in {total['programs']} programs, {total['output']} outputs that are compared, "
          f"{total['scripts']} of scripts, in {len(pages)} pages. Not run:")
    for page in pages:
        for block, reason in page.not_run:
            if block.language != "text" or reason != "shown only":
                print(f"  {page.path}:{block.line}: {block.language}: {reason}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    pages = [Page(root, path.resolve()) for path in arguments.pages]
    if arguments.output:
        generate(pages, arguments.output)
    else:
        report(pages)


if __name__ == "__main__":
    main()
