"""Checks the Markdown files of a tree: python3 check_links.py ROOT. Every relative link leads to something, and every #anchor to a
heading; pages of the guide are short, and listed by its first page."""

import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote

from markdown import anchors, without_code

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
IMAGE_TARGET = re.compile(r"(?:src|href)=\"([^\"]+)\"")
LONGEST_PAGE = 150
LONGEST_README = 120


def markdown_files(root):
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name not in ("build", "node_modules") and not name.startswith(".")]
        for name in sorted(files):
            if name.endswith(".md"):
                yield Path(folder, name)


def links(text):
    """Each link with its line."""
    prose = without_code(text)
    for pattern in (LINK, IMAGE_TARGET):
        for found in pattern.finditer(prose):
            yield prose.count("\n", 0, found.start()) + 1, found[1] or found[2]


def problem(root, file, target):
    """What is wrong with a link, or None."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return None  # elsewhere
    path, _, anchor = unquote(target).partition("#")
    to = (file.parent / path).resolve() if path else file
    if not to.exists():
        return f"leads nowhere: {target}"
    if not to.is_relative_to(root):
        return f"leads out of the project: {target}"
    if anchor and (to.suffix != ".md" or anchor not in anchors(to.read_text(encoding="utf-8"))):
        return f"no such heading: {target}"
    return None


def length_problem(root, file, text):
    lines = text.count("\n")
    longest = {root / "README.md": LONGEST_README}.get(file, LONGEST_PAGE if file.parent == root / "apps/guide" else None)
    return f"{lines} lines, {longest} at most" if longest and lines > longest else None


def check(root):
    problems, count = [], 0
    for file in markdown_files(root):
        text = file.read_text(encoding="utf-8")
        shown = file.relative_to(root)
        for line, target in links(text):
            count += 1
            if wrong := problem(root, file, target):
                problems.append(f"{shown}:{line}: {wrong}")
        if wrong := length_problem(root, file, text):
            problems.append(f"{shown}: {wrong}")
    problems += unlisted(root / "apps/guide")
    return problems, count


def unlisted(guide):
    first = guide / "README.md"
    if not first.exists():
        return []
    listed = {target.partition("#")[0] for _, target in links(first.read_text(encoding="utf-8"))}
    return [f"apps/guide/README.md does not list {page.name}" for page in sorted(guide.glob("*.md"))
            if page != first and page.name not in listed]


if __name__ == "__main__":
    found, total = check(Path(sys.argv[1]).resolve())
    print("\n".join(found) or f"{total} links lead somewhere")
    sys.exit(1 if found or not total else 0)
