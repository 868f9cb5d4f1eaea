#include "support/scratch_directory.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <partyline/config.hpp>

#include <boost/test/unit_test.hpp>

using namespace partyline::test;

namespace {

struct outcome {
    int code;
    std::string out;
    std::string err;
};

outcome run(std::vector<std::string> options)
{
    echo_server s(std::move(options));
    s.close_input();
    std::string out = s.output().read_rest();
    const int code = s.wait_exit();
    return {code, std::move(out), s.errors()};
}

} // namespace

BOOST_AUTO_TEST_SUITE(options, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(help_names_every_option_and_its_exit_code_is_0)
{
    const outcome help = run({"--help"});
    BOOST_TEST(help.code == 0);
    BOOST_TEST(help.err == "");
    for (const char* option : {"--help",
                               "--version",
                               "--demo",
                               "--unix",
                               "--tcp",
                               "--max-connections",
                               "--profile",
                               "--framing",
                               "--max-header-bytes",
                               "--pool-threads",
                               "--threads",
                               "--drain-ms",
                               "--cancel-grace-ms",
                               "--write-stall-ms",
                               "--on-overload",
                               "--max-message-bytes",
                               "--max-depth",
                               "--max-id-bytes",
                               "--max-batch",
                               "--max-in-flight",
                               "--max-in-flight-bytes",
                               "--max-waiting",
                               "--max-waiting-bytes",
                               "--max-peer-waits",
                               "--max-calls",
                               "--max-call-bytes",
                               "--outbox-soft-bytes",
                               "--outbox-hard-bytes",
                               "--expose-errors",
                               "--trace",
                               "--stats",
                               "Exit codes: 0 "})
        BOOST_TEST(contains(help.out, option), option);
}

BOOST_AUTO_TEST_CASE(version_is_one_line_with_the_versions_of_boost_and_openssl)
{
    const outcome version = run({"--version"});
    BOOST_TEST(version.code == 0);
    BOOST_TEST(version.err == "");
    BOOST_TEST(version.out.starts_with("partyline-echo " PARTYLINE_VERSION_STRING " (Boost 1."), version.out);
    BOOST_TEST(contains(version.out, ", OpenSSL "), version.out);
    BOOST_TEST(version.out.find('\n') == version.out.size() - 1);
}

BOOST_AUTO_TEST_CASE(what_is_no_option_is_a_usage_error_that_names_it)
{
    const std::vector<std::pair<std::vector<std::string>, const char*>> rows{
        {{"--colour"}, "colour"},
        {{"requests.txt"}, "requests.txt"},
        {{"--pool-threads"}, "pool-threads"},
        {{"--pool-threads", "many"}, "many"},
        {{"--pool-threads", "0"}, "pool-threads"},
        {{"--pool-threads", "-1"}, "pool-threads"},
        {{"--threads", "2"}, "threads"},
        {{"--threads", "-1", "--http", "0"}, "threads"},
        {{"--threads", "1025", "--http", "0"}, "threads"},
        {{"--drain-ms", "soon"}, "soon"},
        {{"--drain-ms", "-5"}, "drain-ms"},
        {{"--drain-ms", "1e3"}, "1e3"},
        {{"--max-message-bytes", "16M"}, "16M"},
        {{"--max-message-bytes", "-1"}, "max-message-bytes"},
        {{"--max-message-bytes", "0"}, "max-message-bytes"},
        {{"--max-message-bytes", "99999999999999999999"}, "max-message-bytes"},
        {{"--drain-ms", "1", "--drain-ms", "2"}, "drain-ms"},
        {{"--max-depth", "0"}, "max-depth"},
        {{"--max-id-bytes", "-1"}, "max-id-bytes"},
        {{"--max-batch", "0"}, "max-batch"},
        {{"--max-in-flight", "0"}, "max-in-flight"},
        {{"--max-in-flight", "1k"}, "1k"},
        {{"--max-in-flight-bytes", "-1"}, "max-in-flight-bytes"},
        {{"--max-waiting", "-1"}, "max-waiting"},
        {{"--max-waiting-bytes", "-1"}, "max-waiting-bytes"},
        {{"--max-peer-waits", "-1"}, "max-peer-waits"},
        {{"--max-calls", "0"}, "max-calls"},
        {{"--max-call-bytes", "0"}, "max-call-bytes"},
        {{"--outbox-soft-bytes", "-1"}, "outbox-soft-bytes"},
        {{"--outbox-hard-bytes", "-1"}, "outbox-hard-bytes"},
        {{"--on-overload", "panic"}, "panic"},
        {{"--profile", "latin"}, "latin"},
        {{"--framing", "cubist"}, "cubist"},
        {{"--framing"}, "framing"},
        {{"--on-overload"}, "on-overload"},
        {{"--write-stall-ms", "-1"}, "write-stall-ms"},
        {{"--cancel-grace-ms", "never"}, "never"},
        {{"--stats", "yes"}, "yes"},
        {{"--stats", "--listen", "0"}, "listen"},
        {{"--stats", "--http", "0"}, "http"},
        {{"--unix", "socket", "--http-unix", "other"}, "'--http-unix' and '--unix' exclude each other"},
        {{"--tcp", "0", "--http-inherited"}, "'--http-inherited' and '--tcp' exclude each other"},
        {{"--tcp", "0", "--listen-inherited"}, "'--listen-inherited' and '--tcp' exclude each other"},
        {{"--demo", "--listen-inherited"}, "'--listen-inherited' and '--demo' exclude each other"},
        {{"--trace"}, "trace"},
        {{"--trace", "/no such directory/trace"}, "/no such directory/trace"},
    };
    for (const auto& [words, named] : rows) {
        BOOST_TEST_CONTEXT(words.front() << " " << words.back())
        {
            const outcome misuse = run(words);
            BOOST_TEST(misuse.code == 2);
            BOOST_TEST(misuse.out == "");
            BOOST_TEST(contains(misuse.err, named), misuse.err);
        }
    }
}

BOOST_AUTO_TEST_CASE(threads_spin_side_by_side)
{
    echo_server s({"--pool-threads", "3"});
    for (int id : {1, 2, 3})
        s.send(R"({"jsonrpc":"2.0","method":"spin","params":{"ms":50},"id":)" + std::to_string(id) + "}");
    s.close_input();
    std::int64_t sum = 0;
    for (int i = 0; i < 3; ++i)
        sum += s.read_message().at("id").as_int64();
    BOOST_TEST(sum == 6);
    s.expect_end(0);
}

BOOST_AUTO_TEST_SUITE_END()
