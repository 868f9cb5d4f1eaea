#!/usr/bin/env python3
"""Makes of a header, whose comments are plain text, what Doxygen understands: python3 filter.py HEADER

Comments stay as they are in the headers: `code` between backquotes, examples indented by four more columns, and what a
function promises in two columns. Here these become code that is coloured and a list of definitions; what Doxygen would
take for a command or a tag is written so that it stays text. Each line stays where it is, so that what Doxygen says of a
line is true of the header.
"""
import re
import sys

COMMENT = re.compile(r'^(\s*///)(?!<)(?: (.*))?$')
BESIDE = re.compile(r'^(.*\S\s*///<) (.*)$')
ROW = re.compile(r'^([A-Za-z][\w:]*(?:,? [a-z]+)*) {3,}(\S.*)$')
FURTHER = re.compile(r'^ {6,}(\S.*)$')
CODE = re.compile(r'^ {4}')


def escape(text, in_code):
    """Text as Doxygen shows it unchanged, and whether a backquote is still open at its end."""
    out = []
    for part in re.split(r'(`)', text):
        if part == '`':
            in_code = not in_code
        elif not in_code:
            part = re.sub(r'([<>@\\#%&])', lambda found: {'<': '&lt;', '>': '&gt;', '&': '&amp;'}.get(
                found[0], '\\' + found[0]), part)
        out.append(part)
    return ''.join(out), in_code


class block:
    """A comment: what of it is prose, rows and code."""

    def __init__(self, lines):
        self.lines = lines
        self.in_code = False  # between backquotes
        self.at = 0

    def prose(self, text):
        text, self.in_code = escape(text, self.in_code)
        return text

    def is_before_code(self):
        """An empty line, and behind it one that is indented as code."""
        following = self.lines[self.at + 1:self.at + 2]
        return not self.lines[self.at].strip() and bool(following) and bool(CODE.match(following[0]))

    def example(self):
        """The empty line before it opens the code, its last line closes it."""
        self.at += 1
        begin = self.at
        while self.at < len(self.lines) and (CODE.match(self.lines[self.at]) or self.is_before_code()):
            self.at += 1
        code = [line[4:] for line in self.lines[begin:self.at]]
        return ['@code{.cpp}'] + code[:-1] + [code[-1] + ' @endcode']

    def contract(self):
        """Rows, each with the lines that go on with it."""
        out = []
        while self.at < len(self.lines):
            row = ROW.match(self.lines[self.at])
            further = FURTHER.match(self.lines[self.at])
            if row:
                out.append('</dd><dt>%s</dt><dd>%s' % (row[1], self.prose(row[2])))
            elif further:
                out.append(self.prose(further[1]))
            else:
                break
            self.at += 1
        out[0] = out[0].replace('</dd>', '<dl class="contract">', 1)
        out[-1] += '</dd></dl>'
        return out

    def converted(self):
        out = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if ROW.match(line):
                out += self.contract()
            elif self.is_before_code():
                out += self.example()
            else:
                if not line.strip():
                    self.in_code = False
                out.append(self.prose(line))
                self.at += 1
        return out


def converted(lines):
    out = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and COMMENT.match(lines[end]):
            end += 1
        if end > at:
            found = [COMMENT.match(line) for line in lines[at:end]]
            texts = block([match[2] or '' for match in found]).converted()
            out += [(match[1] + ' ' + text).rstrip() for match, text in zip(found, texts)]
            at = end
            continue
        beside = BESIDE.match(lines[at])
        out.append(beside[1] + ' ' + escape(beside[2], False)[0] if beside else lines[at])
        at += 1
    return out


FOREIGN = re.compile(r'^namespace ((?:\w+::)*detail|boost(?:::\w+)*|std) {$')
SPECIALISATION = re.compile(r'^(?:struct|class) (?:boost|std)::')
SPECIAL = re.compile(r'^ *(?:(?:constexpr|explicit|inline|virtual) )*'
                     r'(?:~(\w+)\(\)|(\w+)\((?:const )?(\w+) ?&&?(?: \w+)?\)|(\w+)\(\) = default'
                     r'|(\w+)& operator=\((?:const )?(\w+) ?&&?(?: \w+)?\))[^;{]*(?:;|{.*)?$')


def is_special(line):
    """Whether a special member is declared here: what can be moved or copied is told by the comment of its class."""
    found = SPECIAL.match(line)
    names = [name for name in found.groups() if name] if found else []
    return bool(names) and len(set(names)) == 1


def body_end(lines, at):
    """Behind the function that is declared at this line: its end, or that of its body."""
    depth = 0
    while at < len(lines):
        code = lines[at].split('//')[0]
        depth += code.count('{') - code.count('}')
        at += 1
        if depth == 0 and code.rstrip().endswith((';', '}')):
            break
    return at


def without_foreign(lines):
    """Leaves out, as empty lines, what is not for users: namespaces detail and of others, and special members that have no
    comment of their own."""
    out = list(lines)
    at = 0
    while at < len(out):
        end = at
        if FOREIGN.match(out[at]) or is_special(out[at]) and not COMMENT.match(out[at - 1]):
            end = body_end(out, at)
        elif out[at] == 'template <>' and SPECIALISATION.match(out[at + 1]):
            end = body_end(out, at + 1)
        out[at:end] = [''] * (end - at)
        at = max(end, at + 1)
    return out


def with_file_comment(lines):
    """Has the header listed as a file. A comment in front of all else is the file's own."""
    out = list(lines)
    at = out.index('#pragma once')
    out[at] = '/// @file'
    if COMMENT.match(out[at + 2]):
        out[at + 1] = '///'
    return out


def filtered(lines):
    return with_file_comment(converted(without_foreign(lines)))


def main(path):
    with open(path, encoding='utf-8') as header:
        lines = header.read().split('\n')
    sys.stdout.write('\n'.join(filtered(lines)))


if __name__ == '__main__':
    main(sys.argv[1])
