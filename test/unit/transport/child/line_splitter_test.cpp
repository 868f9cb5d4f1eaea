#include "transport/child/line_splitter.hpp"

#include <partyline/transport/child_report.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using partyline::child_exit;
using partyline::child_report;
using partyline::line_splitter;
using lines = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(line_cutter_suite)

BOOST_AUTO_TEST_CASE(pieces_become_lines)
{
    line_splitter cutter(10);
    BOOST_TEST((cutter.feed("one\ntw") == lines{"one"}));
    BOOST_TEST((cutter.feed("o") == lines{}));
    BOOST_TEST((cutter.feed("\r\n\n\nthree") == lines{"two", "", ""}));
    BOOST_TEST((cutter.feed("") == lines{}));
    BOOST_TEST((cutter.finish() == lines{"three"}));
    BOOST_TEST((cutter.finish() == lines{}));
    BOOST_TEST((cutter.feed("four\n") == lines{"four"}));
    BOOST_TEST((cutter.finish() == lines{}));
}

BOOST_AUTO_TEST_CASE(long_lines_are_cut)
{
    line_splitter cutter(4);
    BOOST_TEST((cutter.feed("123456789\n1234\n12345") == lines{"1234", "1234"}));
    for (int i = 0; i < 1000; ++i)
        BOOST_TEST(cutter.feed("endless").empty());
    BOOST_TEST((cutter.feed("\nnext\n") == lines{"1234", "next"}));
}

BOOST_AUTO_TEST_CASE(a_report_keeps_the_last_lines)
{
    child_report report(1);
    BOOST_TEST(report.last_stderr_lines() == "");
    for (int i = 0; i < 30; ++i)
        report.add_stderr_line(std::to_string(i));
    BOOST_TEST(report.last_stderr_lines() ==
               "10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29");
    for (int i = 0; i < 5; ++i)
        report.add_stderr_line(std::string(1000, 'x'));
    BOOST_TEST(report.last_stderr_lines().size() == 4 * 1000u + 3);
    report.add_stderr_line(std::string(1000, '\xff')); // three bytes each
    BOOST_TEST(report.last_stderr_lines().size() == 1000u + 1 + 3000);
}

BOOST_AUTO_TEST_CASE(an_exit_is_a_status_or_a_signal_or_unknown)
{
    const child_exit status = child_exit::with_status(3);
    BOOST_TEST((status.status() == 3 && !status.signal() && !status.is_success()));
    const child_exit signal = child_exit::by_signal(15);
    BOOST_TEST((signal.signal() == 15 && !signal.status() && !signal.is_success()));
    BOOST_TEST(signal.message() == "the server was ended by signal 15 (Terminated)");
    BOOST_TEST(child_exit::by_signal(200).message() == "the server was ended by signal 200");
    const child_exit unknown;
    BOOST_TEST((!unknown.status() && !unknown.signal() && !unknown.is_success() && unknown.code().failed()));
    const child_exit success = child_exit::with_status(0);
    BOOST_TEST((success.is_success() && success.code().failed()));
}

BOOST_AUTO_TEST_SUITE_END()
