#!/usr/bin/env python3
"""What filter.py makes of comments, and that each line stays where it is: python3 filter_test.py FOLDER_OF_FILTER INCLUDE"""
import pathlib
import sys

CASES = [
    ('plain text stays so',
     ['/// Less than <, a `vector<int>`, 100 % of # and @.', 'int a;'],
     ['/// Less than &lt;, a `vector<int>`, 100 \\% of \\# and \\@.', 'int a;']),
    ('what stands between backquotes may go on in the next line',
     ['/// A `map<int,', '/// int>` and <.', 'int a;'],
     ['/// A `map<int,', '/// int>` and &lt;.', 'int a;']),
    ('two columns become a list of definitions',
     ['/// Reads.', '///', '/// Completes with   void(result<T>)', '/// Fails with       one thing;', '///                  another',
      'int a;'],
     ['/// Reads.', '///', '/// <dl class="contract"><dt>Completes with</dt><dd>void(result&lt;T&gt;)',
      '/// </dd><dt>Fails with</dt><dd>one thing;', '/// another</dd></dl>', 'int a;']),
    ('several terms may share a row',
     ['/// Lifetime, before, threads   as `f`', 'int a;'],
     ['/// <dl class="contract"><dt>Lifetime, before, threads</dt><dd>as `f`</dd></dl>', 'int a;']),
    ('an example becomes code, to its last line',
     ['    /// Adds:', '    ///', '    ///     if (a < b)', '    ///', '    ///         add("#");', '    ///', '    /// That is all.', 'int a;'],
     ['    /// Adds:', '    /// @code{.cpp}', '    /// if (a < b)', '    ///', '    ///     add("#"); @endcode', '    ///', '    /// That is all.', 'int a;']),
    ('text beside a declaration is no exception',
     ['int a; ///< 1 < 2', 'int b; // 1 < 2'],
     ['int a; ///< 1 &lt; 2', 'int b; // 1 < 2']),
    ('special members without a comment are left out',
     ['class a {', '    a() = default;', '    a(a&& other) noexcept', '    {', '        swap(other);', '    }',
      '    a& operator=(const a&) = delete;', '    ~a();', '    a(b&& other);', '    /// Copies.', '    a(const a&);', '};'],
     ['class a {', '', '', '', '', '', '', '', '    a(b&& other);', '    /// Copies.', '    a(const a&);', '};']),
    ('namespaces detail and those of others are left out',
     ['namespace detail {', '/// What <.', 'struct a {', '};', '} // namespace detail', 'namespace boost::asio {', 'class b;', '}',
      'template <>', 'struct boost::c<d> : e {};', 'int f;'],
     [''] * 10 + ['int f;']),
]


def main(folder, include):
    sys.path.insert(0, folder)
    import filter as doxygen_filter
    for what, given, wanted in CASES:
        got = doxygen_filter.converted(doxygen_filter.without_foreign(given))
        assert got == wanted, '%s:\n%s\n%s' % (what, '\n'.join(got), '\n'.join(wanted))
    assert doxygen_filter.with_file_comment(['#pragma once', '', '/// All.', '', 'int a;']) == [
        '/// @file', '///', '/// All.', '', 'int a;']
    count = 0
    for header in sorted(pathlib.Path(include).glob('partyline/**/*.hpp')):
        lines = header.read_text().split('\n')
        got = doxygen_filter.filtered(lines)
        assert len(got) == len(lines), header
        assert all(not old.strip() or not new.strip() or old.split()[0] == new.split()[0] or new == '/// @file'
                   for old, new in zip(lines, got)), header
        count += 1
    print('%d cases, %d headers' % (len(CASES), count))


if __name__ == '__main__':
    main(*sys.argv[1:])
