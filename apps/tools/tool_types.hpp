#pragma once

#include <partyline/rpc/notes.hpp>

#include <boost/describe/class.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What the tools take and give. A file is named relative to the root, where there is one; by the root's name and what
// follows in it, where there are several; or by an absolute path. Results name files so that they can be given again.

namespace tools {

using partyline::note;

constexpr std::size_t max_path_length = 4096;

/// A file that could not be read, and why.
struct unreadable_file {
    std::string file;
    std::string why;

    static constexpr auto notes()
    {
        using me = unreadable_file;
        return partyline::notes(note(&me::file, "The file or folder"), note(&me::why, "Why it could not be read"));
    }
};
BOOST_DESCRIBE_STRUCT(unreadable_file, (), (file, why))

struct search_arguments {
    std::string pattern;
    std::optional<std::string> glob = {};
    std::optional<std::string> root = {};
    bool case_sensitive = true;
    std::uint32_t max_matches = 200;

    static constexpr auto notes()
    {
        using me = search_arguments;
        return partyline::notes(
            note(&me::pattern, "Text to look for, as it stands: no regular expression", partyline::length(1, 1000)),
            note(
                &me::glob,
                "Which files: *.cpp compares names; with a slash, as in src/**/*.cpp, paths within the folder searched",
                partyline::length(1, 256)),
            note(&me::root, "Folder to search; all roots unless given", partyline::length(1, max_path_length)),
            note(&me::case_sensitive, "Whether A differs from a (in ASCII)", partyline::defaulted),
            note(&me::max_matches, "Stop after so many lines", partyline::defaulted, partyline::range(1, 2000)));
    }
};
BOOST_DESCRIBE_STRUCT(search_arguments, (), (pattern, glob, root, case_sensitive, max_matches))

struct search_match {
    std::string file;
    std::uint64_t line = 0;
    std::string text;

    static constexpr auto notes()
    {
        using me = search_match;
        return partyline::notes(note(&me::line, "The first line of a file is 1"),
                                note(&me::text, "The line; of a long one, what surrounds the match"));
    }
};
BOOST_DESCRIBE_STRUCT(search_match, (), (file, line, text))

struct search_result {
    std::vector<search_match> matches = {};
    std::uint64_t files_searched = 0;
    bool truncated = false;
    std::vector<unreadable_file> unreadable = {};

    static constexpr auto notes()
    {
        using me = search_result;
        return partyline::notes(
            note(&me::files_searched, "Text files that were read; binary ones are passed over"),
            note(&me::truncated, "There may be more: the search stopped at max_matches, or at what a result may hold"),
            note(&me::unreadable, "What could not be read, the first hundred"));
    }
};
BOOST_DESCRIBE_STRUCT(search_result, (), (matches, files_searched, truncated, unreadable))

struct read_arguments {
    std::string file;
    std::uint64_t from = 1;
    std::optional<std::uint64_t> to = {};

    static constexpr auto notes()
    {
        using me = read_arguments;
        return partyline::notes(note(&me::file, "Text file to read", partyline::length(1, max_path_length)),
                                note(&me::from, "First line wanted", partyline::defaulted, partyline::at_least(1)),
                                note(&me::to, "Last line wanted; to the end unless given", partyline::at_least(1)));
    }
};
BOOST_DESCRIBE_STRUCT(read_arguments, (), (file, from, to))

struct read_result {
    std::string file;
    std::uint64_t from = 1;
    std::uint64_t to = 0;
    std::uint64_t lines_in_file = 0;
    std::string text;
    bool truncated = false;
    std::optional<std::uint64_t> next = {};

    static constexpr auto notes()
    {
        using me = read_result;
        return partyline::notes(note(&me::from, "First line in text"),
                                note(&me::to, "Last line in text; from - 1 when there is none"),
                                note(&me::truncated, "Not all that was wanted is there: it is too long for one result"),
                                note(&me::next, "Line to go on from, if there is more of what was wanted"));
    }
};
BOOST_DESCRIBE_STRUCT(read_result, (), (file, from, to, lines_in_file, text, truncated, next))

struct hash_arguments {
    std::vector<std::string> files = {};

    static constexpr auto notes()
    {
        using me = hash_arguments;
        return partyline::notes(note(&me::files, "Files to hash", partyline::length(1, 1000)));
    }
};
BOOST_DESCRIBE_STRUCT(hash_arguments, (), (files))

struct hashed_file {
    std::string file;
    std::string sha256;
    std::uint64_t bytes = 0;

    static constexpr auto notes()
    {
        using me = hashed_file;
        return partyline::notes(note(&me::sha256, "SHA-256 of its bytes, in hexadecimal digits"));
    }
};
BOOST_DESCRIBE_STRUCT(hashed_file, (), (file, sha256, bytes))

struct hash_result {
    std::vector<hashed_file> hashes = {};
    std::vector<unreadable_file> unreadable = {};

    static constexpr auto notes()
    {
        using me = hash_result;
        return partyline::notes(note(&me::hashes, "In the order in which they were asked for"),
                                note(&me::unreadable, "Those that could not be read"));
    }
};
BOOST_DESCRIBE_STRUCT(hash_result, (), (hashes, unreadable))

struct run_arguments {
    std::string command;
    std::vector<std::string> arguments = {};
    std::optional<std::string> root = {};
    std::optional<double> timeout_seconds = {};

    static constexpr auto notes()
    {
        using me = run_arguments;
        return partyline::notes(
            note(&me::command, "Name of one of the programs that may be run; no shell is involved",
                 partyline::length(1, 255)),
            note(&me::arguments, "Its arguments, as they are", partyline::defaulted, partyline::length(0, 1000)),
            note(&me::root, "Folder to run it in; the first root unless given", partyline::length(1, max_path_length)),
            note(&me::timeout_seconds, "When to end it; no longer than the program allows",
                 partyline::range(0.001, 86400.0)));
    }
};
BOOST_DESCRIBE_STRUCT(run_arguments, (), (command, arguments, root, timeout_seconds))

struct run_result {
    std::optional<int> exit_code = {};
    std::optional<int> signal = {};
    std::string output;
    bool truncated = false;
    bool timed_out = false;

    static constexpr auto notes()
    {
        using me = run_result;
        return partyline::notes(note(&me::exit_code, "Its exit code, if it ended by itself"),
                                note(&me::signal, "The signal that ended it, if one did"),
                                note(&me::output, "What it wrote, errors included; of much, the beginning and the end"),
                                note(&me::truncated, "Something in the middle of the output is left out"),
                                note(&me::timed_out, "Its time was over, so that it was ended"));
    }
};
BOOST_DESCRIBE_STRUCT(run_result, (), (exit_code, signal, output, truncated, timed_out))

struct wait_arguments {
    double seconds = 0;

    static constexpr auto notes()
    {
        using me = wait_arguments;
        return partyline::notes(note(&me::seconds, "How long to wait", partyline::range(0.0, 3600.0)));
    }
};
BOOST_DESCRIBE_STRUCT(wait_arguments, (), (seconds))

struct wait_result {
    double seconds = 0;

    static constexpr auto notes()
    {
        using me = wait_result;
        return partyline::notes(note(&me::seconds, "How long it took"));
    }
};
BOOST_DESCRIBE_STRUCT(wait_result, (), (seconds))

} // namespace tools
