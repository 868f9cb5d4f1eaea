"""Makes programs of the pages' C++: python3 extract.py ROOT FOLDER.

Writes a source for each program into FOLDER, and pages.cmake, which says what each page needs. What stands above a block of
C++ says what it is:

    <!-- program: NAME -->           a whole program
    <!-- snippet: PROLOGUE.PART -->  takes the place of the line `// snippet: PART` in test/guide/prologues/PROLOGUE.cpp
    <!-- excerpt: FILE -->           lines of a file, or of a program of that name; a line `// ...` leaves some out
    <!-- not compiled: WHY -->       another library's, for instance
"""

import re
import sys
from pathlib import Path

from markdown import Fault, read_blocks

# The component that a header is of; the first that fits.
LIBRARIES = [
    ("partyline/mcp/testing/test_client.hpp", "mcp_test"),
    ("partyline/mcp_extensions/", "mcp_extensions"),
    ("partyline/mcp/", "mcp"),
    ("partyline/access", "access"),
    ("partyline/fleet", "fleet"),
    ("partyline/http", "http"),
    ("partyline/telemetry", "telemetry"),
    ("partyline/tls", "tls"),
]


def pages(root):
    """README and the guide, by the names that they have in the project."""
    found = ["README.md"] + sorted(f"apps/guide/{path.name}" for path in (root / "apps/guide").glob("*.md"))
    return {name: read_blocks(root / name, name) for name in found}


def at_line(block):
    return f'#line {block.line} "{block.page}"\n{block.text}'


def libraries(source):
    used = set()
    for header in re.findall(r"#include <(partyline/[^>]*)>", source):
        used.add(next((name for part, name in LIBRARIES if header.startswith(part)), "partyline"))
    return sorted(used | {"partyline"})


class Programs:
    def __init__(self, root):
        self.root = root
        self.sources = {}
        self.parts = {}

    def add(self, block):
        if block.mark == "program":
            if "int main(" not in block.text:
                raise block.fault("a program without main")
            if block.argument in self.sources:
                raise block.fault(f"a second program {block.argument}")
            self.sources[block.argument] = at_line(block)
        elif block.mark == "snippet":
            self.parts[block.argument] = block
        elif block.mark not in ("excerpt", "not compiled"):
            raise block.fault("nothing above the block says how this C++ is tested: see test/guide/extract.py")

    def join_snippets(self):
        for prologue in sorted({name.partition(".")[0] for name in self.parts}):
            path = self.root / f"test/guide/prologues/{prologue}.cpp"
            self.sources[prologue] = "".join(self.prologue_lines(prologue, path))
        for name, block in self.parts.items():
            if block:
                raise block.fault(f"test/guide/prologues has no place for {name}")

    def prologue_lines(self, name, path):
        shown = path.relative_to(self.root)
        yield f'#line 1 "{shown}"\n'
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if place := re.match(r"\s*// snippet: (\w+)$", line):
                part = f"{name}.{place[1]}"
                block = self.parts.get(part)
                if not block:
                    raise Fault(shown, number, f"no page has a snippet {part}")
                self.parts[part] = None
                yield f'{at_line(block)}#line {number + 1} "{shown}"\n'
            else:
                yield line + "\n"

    def check_excerpt(self, block):
        path = self.root / block.argument
        text = self.sources.get(block.argument) or (path.read_text(encoding="utf-8") if path.is_file() else None)
        if text is None:
            raise block.fault(f"an excerpt of what is not there: {block.argument}")
        whole = "\n".join(line.strip() for line in text.splitlines() if line.strip())
        for piece in re.split(r"^\s*// \.\.\.$", block.text, flags=re.MULTILINE):
            lines = "\n".join(line.strip() for line in piece.splitlines() if line.strip())
            if f"\n{lines}\n" not in f"\n{whole}\n":
                raise block.fault(f"{block.argument} does not have these lines:\n{lines}")


def write_if_changed(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def page_needs(blocks, programs):
    commands = "".join(block.text for block in blocks if block.language == "sh" and block.mark != "not run")
    ours = sorted(set(re.findall(r"build/release/bin/([\w-]+)", commands)))
    used = sorted(name for name in programs if re.search(rf"(?<![\w/])\./{name}\b", commands))
    return ours, used


def main(root, folder):
    folder.mkdir(parents=True, exist_ok=True)
    of_page = pages(root)
    programs = Programs(root)
    code = [block for blocks in of_page.values() for block in blocks if block.language == "cpp"]
    for block in code:
        programs.add(block)
    programs.join_snippets()
    for block in code:
        if block.mark == "excerpt":
            programs.check_excerpt(block)

    lines, run = [], set()
    for name, source in programs.sources.items():
        write_if_changed(folder / f"{name}.cpp", source)
        lines.append(f"guide_program({name} {' '.join(libraries(source))})\n")
    for page, blocks in of_page.items():
        ours, used = page_needs(blocks, programs.sources)
        run.update(used)
        if any(block.language == "sh" and block.mark != "not run" for block in blocks):
            lines.append(f"guide_page({page} NEEDS {' '.join(ours)} PROGRAMS {' '.join(used)})\n")
    if unused := sorted(programs.sources.keys() - run):
        raise SystemExit(f"no page has commands that run {', '.join('./' + name for name in unused)}")
    write_if_changed(folder / "pages.cmake", "".join(lines))


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    except Fault as fault:
        raise SystemExit(str(fault)) from None
