#!/usr/bin/env python3
"""Compiles the examples in the comments of public headers: python3 examples.py INCLUDE SCRATCH COMPILER OPTION...

An example is what a comment has indented by four more columns, behind an empty line. It is compiled as it stands there: as
declarations where it begins with one, else as the body of a function, which is a task where it awaits something. What is
around it (an executor, a method table, functions of the user's) is declared in prologue.hpp, for all of them and, in the
namespace of a header, for its examples alone. Faults are told with the header's name and line.
"""
import pathlib
import re
import subprocess
import sys

COMMENT = re.compile(r'^\s*///(?: (.*))?$')
DECLARATION = re.compile(r'^(?:struct|class|enum|template|using|namespace|BOOST_DESCRIBE_\w+)\b|^[\w:<>&, ]+ \w+\(.*\)$')
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'cmake'))
from check_co_await import faults_in  # noqa: E402


class example:
    def __init__(self, header, line):
        self.header = header  # its path, as it is included
        self.line = line      # of its first line
        self.code = []

    def text(self):
        return '\n'.join(self.code)

    def place(self):
        """The namespace that prologue.hpp has for its header: for_http_client of partyline/http/client.hpp."""
        return 'for_' + re.sub(r'\W', '_', self.header.removeprefix('partyline/').removesuffix('.hpp'))

    def wrapped(self, number):
        """A translation unit's part."""
        before, behind = self.body(number)
        return '\n'.join(['namespace around::%s {' % self.place(), before, '#line %d "%s"' % (self.line, self.header),
                          self.text(), '#line 1 "around an example"', behind, '}', ''])

    def body(self, number):
        if DECLARATION.match(self.code[0]):
            return 'namespace example_%d {' % number, '}'
        if re.search(r'\bco_(?:await|return)\b', without_lambdas(self.text())):
            return 'partyline::task<int> example_%d() {' % number, 'co_return 0; }'
        return 'int example_%d() {' % number, 'return 0; }'


def without_lambdas(text):
    """A body of a lambda awaits for itself."""
    return re.sub(r'\[[^\]\n]*\](?:\([^)]*\))?[^{};]*\{\n.*?\n\};?', '', text, flags=re.S)


def examples_in(header, lines):
    found = []
    at = 1
    while at < len(lines):
        if is_code(lines[at]) and is_empty(lines[at - 1]):
            one = example(header, at + 1)
            while is_code(lines[at]) or (is_empty(lines[at]) and is_code(lines[at + 1])):
                one.code.append((COMMENT.match(lines[at])[1] or '')[4:])
                at += 1
            found.append(one)
        at += 1
    return found


def is_code(line):
    comment = COMMENT.match(line)
    return bool(comment) and (comment[1] or '').startswith('    ')


def is_empty(line):
    comment = COMMENT.match(line)
    return bool(comment) and not comment[1]


def all_examples(include):
    found = []
    for path in sorted(include.glob('partyline/**/*.hpp')):
        if 'detail' not in path.parts:
            found += examples_in(str(path.relative_to(include)), path.read_text().split('\n'))
    return found


def compile_all(examples, include, scratch, compiler):
    source = scratch / 'examples.cpp'
    scratch.mkdir(parents=True, exist_ok=True)
    headers = ['#include <%s>\n' % name for name in sorted({one.header for one in examples})]
    source.write_text(''.join(headers + ['#include "prologue.hpp"\n']) +
                      ''.join(one.wrapped(i) for i, one in enumerate(examples)))
    command = compiler + ['-fsyntax-only', '-w', '-I%s' % include, '-I%s' % HERE, str(source)]
    return subprocess.run(command, capture_output=True, text=True)


def main(include, scratch, *compiler):
    include = pathlib.Path(include)
    examples = all_examples(include)
    unsafe = ['%s:%d: %s' % (one.header, one.line + line - 1, why) for one in examples for line, why in faults_in(one.text())]
    if unsafe:
        sys.exit('examples: what gcc 12 makes a fault of:\n  ' + '\n  '.join(unsafe))
    done = compile_all(examples, include, pathlib.Path(scratch), list(compiler))
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        headers = {one.header for one in examples}
        faults = [line for line in done.stderr.split('\n') if 'error' in line and line.split(':')[0] in headers]
        sys.exit('examples: these do not compile:\n  %s' % '\n  '.join(faults))
    print('%d examples in %d headers' % (len(examples), len({one.header for one in examples})))


if __name__ == '__main__':
    main(*sys.argv[1:])
