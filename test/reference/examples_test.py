#!/usr/bin/env python3
"""The check of examples finds every kind of fault, in its line: python3 examples_test.py INCLUDE COMPILER OPTION..."""
import pathlib
import sys
import tempfile

import examples

HEADER = '''#pragma once

#include <partyline/partyline.hpp>

/// What compiles, and text that is no example:
///
///     const int sum = co_await peer.call<int>("add", args(2, 40));
///     show(std::to_string(sum));
///
///     show("behind an empty line");
///
/// - An item that goes on
///   in its second line.
///
/// Fails with       what stands in two columns,
///                  as here
void f();

/// A name that is not there:
///
///     show(nothing);
///
/// in a declaration:
///
///     int twice(int a)
///     {
///         return 2 * nothing_either;
///     }
///
/// In what the library refuses when it is instantiated:
///
///     methods.add("twice", [](int a) { return 2 * a; }, "a");
///
/// In a task:
///
///     show("first");
///     co_await peer.call<int>("add", {2, 40}, 2);
void g();
'''
FAULTY = [21, 27, 32, 37]


def main(include, *compiler):
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        header = tree / 'partyline' / 'faulty.hpp'
        header.parent.mkdir()
        header.write_text(HEADER)
        found = examples.all_examples(tree)
        assert [one.line for one in found] == [7, 21, 25, 32, 36], [one.line for one in found]
        assert len(found[0].code) == 4, found[0].code
        assert [bool(examples.faults_in(one.text())) for one in found] == [False] * 4 + [True]
        done = examples.compile_all(found, tree, tree, list(compiler) + ['-I' + include])
        assert done.returncode != 0
        for line in FAULTY:
            assert 'partyline/faulty.hpp:%d:' % line in done.stderr, (line, done.stderr)
        assert 'partyline/faulty.hpp:7:' not in done.stderr, done.stderr
        assert examples.compile_all(found[:1], tree, tree, list(compiler) + ['-I' + include]).returncode == 0
    print('%d faults found' % len(FAULTY))


if __name__ == '__main__':
    main(*sys.argv[1:])
