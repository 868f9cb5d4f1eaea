#include "sample_results.hpp"
#include "support/text_search.hpp"

#include <bench/report.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace bench;
using partyline::test::contains;

BOOST_AUTO_TEST_SUITE(reports)

BOOST_AUTO_TEST_CASE(the_table_says_where_and_how_and_what)
{
    BOOST_TEST(make_table(test::make_results()) ==
R"(partyline 0.1.0, 2026-01-02T03:04:05Z. A Fast <CPU>, 2 cores; Linux 6; g++ 12.2.0, Boost 1.81.0, glibc 2.36; over pipes; client and server pinned to a core each; seed 42.
Medians of the rounds, with the smallest and largest in parentheses.
Without peers.

### Echo of 16 bytes

| server        | requests × rounds | CPU per request, µs | requests per second | × yardstick      | target                                                             |
|---------------|-------------------|---------------------|---------------------|------------------|--------------------------------------------------------------------|
| yardstick     | 200,000 × 3       | 1.00 (1.00–1.00)    | 1,000,000           | 1                |                                                                    |
| cat           | 200,000 × 3       | 0.06 (0.05–0.07)    | 16,666,667          | 0.06 (0.05–0.07) |                                                                    |
| partyline     | 200,000 × 3       | 0.50 (0.40–0.65)    | 2,000,000           | 0.50 (0.40–0.65) | ratio ≤ 0.60: reached; CPU per request, µs ≤ 0.45: **not reached** |
| peer & co 1.0 | 200,000 × 3       | 120 (100–150)       | 8,333               | 120 (100–150)    |                                                                    |

With options: `partyline --max-batch=2` (partyline)

### Start

| server    | requests × rounds | CPU per start, µs | target          |
|-----------|-------------------|-------------------|-----------------|
| partyline | 200,000 × 3       | 4.00 (3.00–5.00)  | ≤ 5.00: reached |
)");
}

BOOST_AUTO_TEST_CASE(what_is_not_as_it_should_be_stands_out)
{
    results all = test::make_results();
    all.machine.pinned = false;
    all.quick = true;
    BOOST_TEST(contains(make_table(all), "**not pinned**"));
    BOOST_TEST(contains(make_table(all), "a quick look"));
}

BOOST_AUTO_TEST_CASE(the_chart_has_a_bar_for_each_server_the_cheapest_first)
{
    const std::string chart = make_chart(test::make_results());
    BOOST_TEST(chart.starts_with("<svg "));
    BOOST_TEST(chart.ends_with("</svg>\n"));
    const auto at = [&chart](const char* text) { return chart.find(text); };
    BOOST_TEST(at(">cat<") < at(">partyline<"));
    BOOST_TEST(at(">partyline<") < at(">yardstick<"));
    BOOST_TEST(at(">yardstick<") < at(">peer &amp; co 1.0<"));
    BOOST_TEST(at(">peer &amp; co 1.0<") != std::string::npos);
    BOOST_TEST(contains(chart, "A Fast &lt;CPU>"));
}

// 0.05 to 1000 are shown on an axis from 330 to 800: a decade is as wide as the next.
BOOST_AUTO_TEST_CASE(its_scale_is_logarithmic)
{
    const std::string chart = make_chart(test::make_results());
    BOOST_TEST(contains(chart, "class=\"peer\" x=\"330\" y=\"140\" width=\"383\"")); // 330 + 470 * (2 + lg 120) / 5
    BOOST_TEST(contains(chart, "class=\"partyline\" x=\"330\" y=\"84\" width=\"160\""));
    for (const char* tick : {">0.01<", ">0.1<", ">1<", ">10<", ">100<", ">1000<"})
        BOOST_TEST(contains(chart, tick), tick);
}

BOOST_AUTO_TEST_CASE(without_the_echo_there_is_no_chart)
{
    results all = test::make_results();
    all.workloads.erase(all.workloads.begin());
    BOOST_CHECK_THROW(make_chart(all), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
