"""Markdown files as these tests see them: blocks of code with what is said of them, headings, links."""

import re
from pathlib import Path

FENCE = re.compile(r"^(`{3,})(\w*)\s*$")
MARK = re.compile(r"^<!-- (program|snippet|excerpt|not compiled|file|not run|installed)(?:: (.*?))? -->$")
HIDDEN_COMMAND = re.compile(r"^<!-- run(?: (installed))?: (.*) -->$")


class Fault(Exception):
    """What is wrong with a page, and where."""

    def __init__(self, page, line, text):
        super().__init__(f"{page}:{line}: {text}")


class Block:
    """Code between two fences. `line` is that of the first line of code, `mark` the comment above the fence."""

    def __init__(self, page, line, language, mark, argument, text):
        self.page, self.line, self.language = page, line, language
        self.mark, self.argument, self.text = mark, argument, text

    def fault(self, text):
        return Fault(self.page, self.line, text)


def read_blocks(path, page):
    """The blocks of a file, in order. A hidden command is a block of `sh`."""
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    blocks, mark, index = [], None, 0
    while index < len(lines):
        line = lines[index]
        index += 1
        if hidden := HIDDEN_COMMAND.match(line):
            blocks.append(Block(page, index, "sh", hidden[1], None, hidden[2] + "\n"))
        elif fence := FENCE.match(line):
            begin = index
            while index < len(lines) and lines[index] != fence[1]:
                index += 1
            if index == len(lines):
                raise Fault(page, begin, "the block has no end")
            name, argument = mark or (None, None)
            text = "".join(each + "\n" for each in lines[begin:index])
            blocks.append(Block(page, begin + 1, fence[2], name, argument, text))
            index += 1
        elif line.startswith("<!--") and not MARK.match(line):
            raise Fault(page, index, f"no comment that the tests know: {line}")
        found = MARK.match(line)
        mark = (found[1], found[2]) if found else None
    return blocks


def without_code(text):
    """The text with blank lines for blocks, so that lines keep their numbers, and without what stands in backquotes."""
    kept, fence = [], None
    for line in text.split("\n"):
        found = FENCE.match(line)
        if fence:
            fence = None if line == fence else fence
            kept.append("")
        elif found:
            fence = found[1]
            kept.append("")
        else:
            kept.append(line)
    return re.sub(r"`[^`\n]*(\n[^`\n]+)?`", lambda code: "\n" * code[0].count("\n"), "\n".join(kept))


def anchors(text):
    """What `#anchor` may name in a file, as GitHub makes it of the headings."""
    found, fence = [], None
    for line in text.split("\n"):
        opening = FENCE.match(line)
        if fence:
            fence = None if line == fence else fence
        elif opening:
            fence = opening[1]
        elif heading := re.match(r"^#{1,6} +(.*?) *#*$", line):
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
            count = sum(1 for each, _ in found if each == slug)
            found.append((slug, f"{slug}-{count}" if count else slug))
    return {name for _, name in found}
