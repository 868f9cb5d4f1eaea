#include "refusal.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

#include <tools/options.hpp>

using namespace std::chrono_literals;
using partyline::test::contains;
using tools::options;
using tools::test::refusal_of;

namespace {

options read(std::vector<const char*> words)
{
    words.insert(words.begin(), "partyline-tools");
    return tools::parse_command_line(static_cast<int>(words.size()), words.data());
}

} // namespace

BOOST_AUTO_TEST_SUITE(options_of_tools)

BOOST_AUTO_TEST_CASE(one_root_is_enough)
{
    const options got = read({"--root", "/a b"});
    BOOST_TEST((got.what == options::action::serve));
    BOOST_TEST(got.roots == std::vector<std::string>{"/a b"}, boost::test_tools::per_element());
    BOOST_TEST(got.commands.empty());
    BOOST_TEST((got.limits.command.time == 60s));
    BOOST_TEST(got.limits.file_bytes == std::uint64_t(256) << 20);
}

BOOST_AUTO_TEST_CASE(all_of_them)
{
    const options got = read({"--root", "a", "--allow-command", "git", "--root=b", "--allow-command", "make",
                              "--command-timeout", "2.5", "--max-file-bytes", "1000"});
    BOOST_TEST(got.roots == (std::vector<std::string>{"a", "b"}), boost::test_tools::per_element());
    BOOST_TEST(got.commands == (std::vector<std::string>{"git", "make"}), boost::test_tools::per_element());
    BOOST_TEST((got.limits.command.time == 2500ms));
    BOOST_TEST(got.limits.file_bytes == 1000u);
}

BOOST_AUTO_TEST_CASE(those_of_one_process_among_several)
{
    const options got = read({"--root", "a", "--page-size", "3", "--state-keys", "keys", "--http", "1", "--node", "n1",
                              "--lame-duck-ms", "7"});
    BOOST_TEST(got.page_size == 3u);
    BOOST_TEST(got.state_keys == "keys");
    BOOST_TEST(got.http.server.node == "n1");
    BOOST_TEST((got.http.server.times.lame_duck == 7ms));
}

BOOST_AUTO_TEST_CASE(help_and_version_need_no_root)
{
    BOOST_TEST((read({"--help"}).what == options::action::help));
    BOOST_TEST((read({"--version"}).what == options::action::version));
    std::ostringstream out;
    tools::print_help(out);
    for (const char* const option : {"--help", "--version", "--root", "--allow-command", "--command-timeout",
                                     "--max-file-bytes", "Exit codes: 0 "})
        BOOST_TEST(contains(out.str(), option), option);
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused_in_words_that_name_it)
{
    const std::pair<std::vector<const char*>, const char*> rows[] = {
        {{}, "name at least one folder that may be read: --root PATH"},
        {{"x"}, "unexpected argument 'x'"},
        {{"--root"}, "root"},
        {{"--root", "a", "--command-timeout", "0"}, "'--command-timeout' is out of range"},
        {{"--root", "a", "--command-timeout", "nan"}, "command-timeout"},
        {{"--root", "a", "--command-timeout", "86401"}, "'--command-timeout' is out of range"},
        {{"--root", "a", "--max-file-bytes", "0"}, "'--max-file-bytes' is 0, expected 1 to"},
        {{"--root", "a", "--max-file-bytes", "-1"}, "'--max-file-bytes' is -1"},
        {{"--root", "a", "--page-size", "-1"}, "'--page-size' is -1"},
        {{"--root", "a", "--node", "a"}, "the option '--node' needs '--listen' or '--http'"},
        {{"--root", "a", "--lame-duck-ms", "1"}, "the option '--lame-duck-ms' needs '--listen' or '--http'"},
        {{"--root", "a", "--http", "1", "--tls-certificate", "c", "--tls-key", "k"},
         "the option '--tls-certificate' needs '--listen' or '--listen-inherited'"},
        {{"--root", "a", "--http-inherited", "--tls-certificate", "c", "--tls-key", "k"},
         "the option '--tls-certificate' needs '--listen' or '--listen-inherited'"},
        {{"--root", "a", "--http-inherited", "--proxy-protocol"},
         "the option '--proxy-protocol' needs '--listen' or '--listen-inherited'"},
        {{"--root", "a", "--listen-inherited", "--tls-certificate", "c"},
         "each '--tls-certificate' needs its '--tls-key'"},
        {{"--root", "a", "--listen-inherited", "--tls-only"}, "the option '--tls-only' needs '--tls-certificate'"},
        {{"--root", "a", "--listen-inherited", "--http-inherited"},
         "'--http-inherited' and '--listen-inherited' exclude each other"},
        {{"--root", "a", "--http", "1", "--node", "a.b"}, "'--node' is to be 1 to 32 of a-z and 0-9"},
        {{"--root", "a", "--http", "1", "--lame-duck-ms", "-1"}, "'--lame-duck-ms' is -1"},
        {{"--root", "a", "--http", "1", "--unix-mode", "660"}, "the option '--unix-mode' needs '--http-unix'"},
        {{"--root", "a", "--http-unix", "s", "--unix-mode", "8"},
         "'--unix-mode' is to be permissions in octal, such as 660"},
        {{"--root", "a", "--http-unix", "s", "--unix-mode", "1777"}, "'--unix-mode' is to be permissions in octal"},
        {{"--root", "a", "--http-unix", "s", "--unix-mode", "-1"}, "'--unix-mode' is to be permissions in octal"},
        {{"--root", "a", "--http-unix", "s", "--unix-mode", ""}, "unix-mode"},
        {{"--root", "a", "--verbose"}, "verbose"},
    };
    for (const auto& [given, said] : rows) {
        const std::string refused = refusal_of([&] { read(given); });
        BOOST_TEST(contains(refused, said), "'" << refused << "' instead of '" << said << "'");
    }
}

BOOST_AUTO_TEST_SUITE_END()
