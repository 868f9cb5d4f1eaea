// The program as a user runs it.

#include "bench/driver/results.hpp"
#include "bench/driver/workloads.hpp"
#include "bench_program.hpp"
#include "support/descriptors.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <boost/test/unit_test.hpp>

using bench::test::outcome;
using bench::test::run_bench;
using partyline::test::contains;

namespace {

outcome run_quick(std::vector<std::string> options)
{
    options.insert(options.end(), {"--quick", "--rounds", "1", "--peers", "none"});
    return run_bench(options);
}

bench::results read_results(const std::string& text)
{
    return boost::json::value_to<bench::results>(boost::json::parse(text));
}

} // namespace

BOOST_AUTO_TEST_SUITE(program, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(two_workloads_are_measured_and_printed)
{
    const outcome run = run_quick({"--workload", "echo", "ping-pong", "--seed", "17"});
    BOOST_TEST_REQUIRE(run.code == 0, run.err);
    BOOST_TEST(contains(run.err, "seed 17\n"));
    const bench::results printed = read_results(run.out);
    BOOST_TEST(printed.seed == 17u);
    BOOST_TEST_REQUIRE(printed.workloads.size() == 2u);
    for (const bench::section& workload : printed.workloads) {
        for (const bench::row& server : workload.rows) {
            BOOST_TEST(server.median.at("cpu_us") > 0, server.name);
            BOOST_TEST(server.rounds.size() == (server.name == workload.reference ? workload.rows.size() : 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(results_are_printed_or_saved)
{
    const partyline::test::scratch_directory folder;
    const std::string file = (folder / "results.json").string();
    partyline::test::write_file(file, "what has been saved before, and is longer than what comes now");
    const outcome run = run_quick({"--workload", "start", "--json", file});
    BOOST_TEST_REQUIRE(run.code == 0, run.err);
    BOOST_TEST(run.out == "");
    const std::string saved = partyline::test::read_file(file);
    BOOST_TEST(read_results(saved).workloads.at(0).name == "start");
    BOOST_TEST(run_quick({"--workload", "echo", "--server", "/no/such/server", "--json", file}).code == 1);
    BOOST_TEST(run_quick({"--workload", "typed-"}).code == 2);
    BOOST_TEST(partyline::test::read_file(file) == saved);
}

BOOST_AUTO_TEST_CASE(every_other_workload_works_too)
{
    for (const bench::workload& each : bench::all_workloads(true)) {
        if (each.name == "echo" || each.name == "ping-pong")
            continue;
        const outcome run = run_quick({"--workload", each.name});
        BOOST_TEST(run.code == 0, run.err);
        BOOST_TEST(contains(run.out, "\"title\":\"" + each.title + "\""));
    }
}

BOOST_AUTO_TEST_CASE(other_wires_and_no_pinning_work)
{
    const std::string server = std::string("'") + PARTYLINE_BROKEN_SERVER + "' headers";
    const outcome headers =
        run_quick({"--workload", "echo", "ping-pong", "--server", server, "--framing", "content-length"});
    BOOST_TEST(headers.code == 0, headers.err);
    const outcome sockets = run_quick({"--workload", "echo-64k", "--transport", "socketpair", "--no-pin"});
    BOOST_TEST(sockets.code == 0, sockets.err);
    const bench::results printed = read_results(sockets.out);
    BOOST_TEST(printed.transport == "socket pairs");
    BOOST_TEST(!printed.machine.pinned);
}

BOOST_AUTO_TEST_CASE(another_server_is_measured_by_its_own_method)
{
    const std::string server = std::string("'") + PARTYLINE_ECHO + "'";
    const outcome run = run_quick({"--workload", "echo-1k", "--server", server});
    BOOST_TEST_REQUIRE(run.code == 0, run.err);
    const bench::results printed = read_results(run.out);
    BOOST_TEST(printed.workloads.at(0).rows.back().command == server);
    BOOST_TEST(printed.workloads.at(0).rows.back().kind == "server");
    const outcome unknown = run_quick({"--workload", "echo-1k", "--server", server, "--method", "no_such"});
    BOOST_TEST(unknown.code == 1);
    BOOST_TEST(contains(unknown.err, "was answered with an error: '{\"code\":-32601"), unknown.err);
}

BOOST_AUTO_TEST_CASE(the_list_names_every_workload)
{
    const outcome list = run_bench({"--list"});
    BOOST_TEST(list.code == 0);
    for (const bench::workload& each : bench::all_workloads(false))
        BOOST_TEST(contains(list.out, each.name + ": " + each.title + "\n"), each.name);
}

BOOST_AUTO_TEST_CASE(wrong_usage_is_told_with_exit_code_2)
{
    const std::vector<std::pair<std::vector<std::string>, const char*>> rows{
        {{"--colour"}, "colour"},
        {{"--workload", "no-such"}, "there is no workload 'no-such'"},
        {{"--workload", "cancel", "--server", "cat"}, "'cancel' takes methods of partyline's own server"},
        {{"--rounds", "0"}, "rounds"},
        {{"--timeout", "-1"}, "timeout"},
        {{"--seed", "-1"}, "seed"},
        {{"--framing", "xml"}, "'xml', expected ndjson or content-length"},
        {{"--transport", "pigeon"}, "'pigeon', expected pipes or socketpair"},
    };
    for (const auto& [options, words] : rows) {
        const outcome run = run_bench(options);
        BOOST_TEST(run.code == 2, words);
        BOOST_TEST(run.out == "");
        BOOST_TEST(contains(run.err, words), run.err);
        BOOST_TEST(contains(run.err, "Try 'partyline-bench --help'."));
    }
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_used_are_told_before_anything_is_measured)
{
    const partyline::test::scratch_directory folder;
    partyline::test::write_file(folder / "bad.json", "{\"name\":1}");
    const std::string bad = (folder / "bad.json").string();
    const std::vector<std::pair<std::vector<std::string>, const char*>> rows{
        {{"--json", "/no/such/folder/r.json"}, "cannot write /no/such/folder/r.json"},
        {{"--peers", bad}, "bad.json does not name peers"},
    };
    for (const auto& [options, words] : rows) {
        const outcome run = run_bench(options);
        BOOST_TEST(run.code == 1, words);
        BOOST_TEST(run.out == "");
        BOOST_TEST(contains(run.err, words), run.err);
    }
}

BOOST_AUTO_TEST_CASE(help_and_version_go_to_standard_output)
{
    const outcome help = run_bench({"--help"});
    BOOST_TEST(help.code == 0);
    for (const char* option :
         {"--list", "--workload", "--quick", "--rounds", "--seed", "--json", "--server", "--method", "--framing",
          "--transport", "--timeout", "--no-pin", "--programs", "--peers"})
        BOOST_TEST(contains(help.out, option), option);
    BOOST_TEST(run_bench({"--version"}).out.starts_with("partyline-bench "));
}

BOOST_AUTO_TEST_SUITE_END()
