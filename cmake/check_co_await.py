#!/usr/bin/env python3
"""Finds expressions with co_await that g++ 12 compiles into a double free, or that never begin to wait; and coroutines
of lambdas that are gone before these run, whatever the compiler.

    check_co_await.py PATH...

A folder is searched for C++ sources and headers; hidden folders and build trees in it are left out. Of a page in
Markdown the blocks of C++ are checked. Says FILE:LINE: and what is wrong, as a compiler does.
Exit code: 0: nothing was found, 1: something was, 2: there was nothing to check.

g++ 12 destroys temporaries of these kinds twice, or too soon, where the same expression waits. g++ 13 and clang do not.
What it can't see: an aggregate that is made by parentheses, `point(1, 2)`, which looks like a call.
"""

import pathlib
import re
import sys

SUFFIXES = {".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h", ".ipp", ".inl"}
BRACES = "a value made by braces, where the same expression waits: g++ 12 destroys it twice; name it on the line before"
CAPTURE = ("a lambda that captures by value, where the same expression waits: g++ 12 destroys it twice; name it on the "
           "line before, and move it in")
CHOICE = "?: where the same expression waits: g++ 12 destroys what it chooses twice; use if and else"
GONE_LAMBDA = ("a coroutine of a lambda that captures, called where it is written: the lambda is gone when the coroutine "
               "runs; hand the lambda itself to co_spawn, or what it captures over as parameters")
EMPTY_LOOP = "a loop that does nothing but wait: g++ 12 never begins to wait; put a statement into it"

# Comments, what is within quotes, and lines of the preprocessor. A quote between digits separates these.
HIDDEN = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|R"([^ ()\\\t\n]*)\(.*?\)\1"'
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|(?:(?<![0-9A-Za-z_])|(?<=\b[LUu])|(?<=\bu8))'(?:[^'\\\n]|\\.)+'"
    r'|^[ \t]*#(?:[^\n\\]|\\.)*', re.S | re.M)
TOKEN = re.compile(r'[A-Za-z_]\w*|\d[\w.\']*|->|::|\[\[|[^\s\w]')
CONDITIONS = {"if", "while", "for", "switch"}
NO_VALUES = {"return", "co_return", "co_await", "co_yield", "throw", "case"}  # words that a value follows
COROUTINE = {"co_await", "co_return", "co_yield"}
TYPES = {"struct", "class", "union", "enum", "namespace"}
BLOCK_AFTER = {")", "else", "do", "try", "const", "noexcept", "override", "final", "mutable", "requires", ":", '"'}


def without_hidden(text):
    """What counts as code; all else is blank, so that each line stays where it is."""
    def blank(match):
        first = " " if match[0].lstrip()[0] in "/#" else '"'
        return first + re.sub(r"[^\n]", " ", match[0][1:])
    return HIDDEN.sub(blank, text)


class Expression:
    """What has been read of one full expression, or of what stands before a block."""

    def __init__(self):
        self.tokens = []
        self.await_line = 0  # 0: it does not wait
        self.problems = []   # if it does
        self.gone = []       # if it does not
        self.lambdas = 0     # whose bodies are to come
        self.captures = []   # of each of these: whether it has any, and where its parameters begin
        self.follows_do = False   # it is the body of a do
        self.follows_body = False  # it is what comes after that, the condition

    def last(self):
        return self.tokens[-1] if self.tokens else ""

    def take(self, token, line):
        self.tokens.append(token)
        if token == "co_await":
            self.await_line = self.await_line or line
        elif token == "?":
            self.problems.append((line, CHOICE))

    def begins_lambda(self):
        """Whether a bracket that comes next does: an index follows a value, and names a declaration."""
        before = self.tokens[-5:]
        while before and before[-1] in ("const", "&"):
            before.pop()
        if before and before[-1] == "auto":
            return False
        return self.last() in NO_VALUES or not re.match(r'[\w)\]">]', self.last())

    def opens_block(self):
        """Whether a brace that comes next does, and not a value."""
        if not self.tokens or self.lambdas or self.last() in BLOCK_AFTER:
            return True
        if self.last() in (",", "="):  # of a long table, say
            return False
        if TYPES & set(self.tokens) and not {"(", "="} & set(self.tokens):
            return True
        if ")" not in self.tokens:
            return False
        behind = self.tokens[len(self.tokens) - self.tokens[::-1].index(")"):]
        is_result = "->" in behind and not {"(", ",", "="} & set(behind)
        return is_result or self.last() == "&" or "requires" in behind


class Checker:
    """Reads tokens from a brace to that which ends its block."""

    def __init__(self, text):
        code = without_hidden(text)
        self.tokens = []
        self.at = 0
        self.found = []
        line, place = 1, 0
        for match in TOKEN.finditer(code):
            line += code.count("\n", place, match.start())
            place = match.start()
            self.tokens.append((match[0], line))

    def check(self):
        while self.at < len(self.tokens):  # a brace too many ends a block
            self.read_block()
        return sorted(set(self.found))

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self, ahead=0):
        at = self.at + ahead
        return self.tokens[at][0] if at < len(self.tokens) else ""

    def read_block(self):
        now = Expression()
        parentheses = []  # those that are open: whether a condition stands in each
        while self.at < len(self.tokens):
            token, line = self.next()
            if token == "}":
                break
            if token == "{":
                now = self.read_brace(now, line, bool(parentheses))
            elif token in (";", "else", "do"):
                now = self.end(now)
                now.follows_do = token == "do"
            elif token == "(":
                parentheses.append(now.last() in CONDITIONS or now.tokens[-2:] == ["if", "constexpr"])
                now.take(token, line)
            elif token == ")":
                now.take(token, line)
                if parentheses and parentheses.pop():
                    now = self.end_condition(now)
            else:
                self.read_other(now, token, line)
        self.end(now)

    def read_other(self, now, token, line):
        if token == "[[":
            while self.at < len(self.tokens) and not (self.next()[0] == "]" and self.peek() == "]"):
                pass
            self.at += 1
        elif token == "[" and now.begins_lambda():
            self.read_captures(now, line)
        else:
            now.take(token, line)

    def read_captures(self, now, line):
        depth, parts = 0, [[]]
        while self.at < len(self.tokens):
            token, _ = self.next()
            if token == "]" and depth == 0:
                break
            depth += (token in "([{") - (token in ")]}")
            if token == "," and depth == 0:
                parts.append([])
            else:
                parts[-1].append(token)
        if any(part and part[0] != "&" and part != ["this"] for part in parts):
            now.problems.append((line, CAPTURE))
        now.lambdas += 1
        now.captures.append((parts != [[]], len(now.tokens)))
        now.tokens.append(")")  # as if parameters had stood there

    def read_brace(self, now, line, is_within):
        if not now.opens_block():
            now.problems.append((line, BRACES))
            self.read_value(now)
            return now
        is_lambda = now.lambdas > 0
        begin = self.at
        self.read_block()
        if not is_lambda and not is_within:
            return self.end(now)
        if is_lambda:
            has_captures, head = now.captures.pop()
            is_coroutine = {"task", "awaitable"} & set(now.tokens[head:]) and COROUTINE & {
                token for token, _ in self.tokens[begin:self.at]}
            if has_captures and is_coroutine and self.peek() == "(":
                now.gone.append((line, GONE_LAMBDA))
        now.lambdas -= is_lambda
        now.tokens.append(")")
        return now

    def read_value(self, now):
        """To the brace that ends it. It is a part of the expression."""
        inner = Expression()
        while self.at < len(self.tokens):
            token, line = self.next()
            if token == "}":
                break
            if token == "{":
                inner = self.read_brace(inner, line, True)
            else:
                self.read_other(inner, token, line)
        now.await_line = now.await_line or inner.await_line
        now.problems += inner.problems
        now.gone += inner.gone
        now.tokens.append(")")

    def end_condition(self, now):
        is_empty = self.peek() == ";" or (self.peek() == "{" and self.peek(1) == "}")
        if now.await_line and "while" in now.tokens and is_empty and not now.follows_body:
            self.found.append((now.await_line, EMPTY_LOOP))
        return self.end(now)

    def end(self, now):
        self.found += now.problems if now.await_line else now.gone
        after = Expression()
        after.follows_body = now.follows_do
        return after


def blocks_of(page):
    """The C++ of a page, each line where it stands."""
    lines, is_code = [], False
    for line in page.split("\n"):
        if line.startswith("```"):
            is_code = not is_code and line.startswith("```cpp")
            line = ""
        lines.append(line if is_code else "")
    return "\n".join(lines)


def faults_in(text):
    """Each as its line and what is wrong."""
    return Checker(text).check()


def files_in(path):
    if path.is_file():
        yield path
        return
    for one in sorted(path.iterdir()):
        if one.is_dir():
            if not one.is_symlink() and not one.name.startswith(".") and not (one / "CMakeCache.txt").exists():
                yield from files_in(one)
        elif one.suffix in SUFFIXES and one.is_file():
            yield one


def main(paths):
    sys.setrecursionlimit(20_000)  # of braces in braces
    missing = [path for path in paths if not pathlib.Path(path).exists()]
    if missing:
        print("check_co_await: no such file or folder: " + " ".join(missing), file=sys.stderr)
        return 2
    files = [file for path in paths for file in files_in(pathlib.Path(path))]
    count = 0
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")
        for line, problem in faults_in(blocks_of(text) if file.suffix == ".md" else text):
            count += 1
            print(f"{file}:{line}: error: {problem}", file=sys.stderr)
    if not files:
        print("check_co_await: no C++ source in " + (" ".join(paths) or "nothing"), file=sys.stderr)
        return 2
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
