#include "bench/driver/results.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

using namespace bench;

namespace {

row make_row(std::string name, std::vector<double> cpu, std::vector<double> ratios, std::vector<target> targets)
{
    row made;
    made.name = std::move(name);
    for (double us : cpu)
        made.rounds.push_back({{"cpu_us", us}, {"per_second", 1e6 / us}});
    made.ratios = std::move(ratios);
    made.targets = std::move(targets);
    return made;
}

results make_results()
{
    section echo;
    echo.name = "echo";
    echo.rows = {make_row("yardstick", {1, 1, 1}, {}, {{"cpu_us", 1}, {"cpu_us", 0.99}}),
                 make_row("partyline", {0.5, 0.4, 0.65}, {0.5, 0.4, 0.65}, {{"ratio", 0.6}, {"cpu_us", 0.45}})};
    results all;
    all.workloads = {echo};
    summarise(all);
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(measured_results)

BOOST_AUTO_TEST_CASE(medians_ratios_and_targets_are_worked_out)
{
    const results all = make_results();
    const row& server = all.workloads[0].rows[1];
    BOOST_TEST(server.median.at("cpu_us") == 0.5);
    BOOST_TEST(server.median.at("per_second") == 2e6);
    BOOST_TEST_REQUIRE(server.ratio.has_value());
    BOOST_TEST(server.ratio->median == 0.5);
    BOOST_TEST(server.ratio->min == 0.4);
    BOOST_TEST(server.ratio->max == 0.65);
    BOOST_TEST(server.targets[0].reached);
    BOOST_TEST(!server.targets[1].reached);
    BOOST_TEST(!all.workloads[0].rows[0].ratio.has_value());
}

BOOST_AUTO_TEST_CASE(a_target_is_reached_by_the_very_figure)
{
    const results all = make_results();
    BOOST_TEST(all.workloads[0].rows[0].targets[0].reached);
    BOOST_TEST(!all.workloads[0].rows[0].targets[1].reached);
}

BOOST_AUTO_TEST_CASE(they_are_a_line_of_json)
{
    const std::string text = to_json(make_results());
    BOOST_TEST(text.find('\n') == text.size() - 1);
    const boost::json::value rows = boost::json::parse(text).at("workloads").at(0).at("rows");
    BOOST_TEST(rows.at(0).at("ratio").is_null());
    BOOST_TEST(rows.at(1).at("ratio").at("median") == 0.5);
    BOOST_TEST(rows.at(1).at("rounds").at(2).at("cpu_us") == 0.65);
    BOOST_TEST(rows.at(1).at("targets").at(0).at("reached") == true);
}

BOOST_AUTO_TEST_CASE(the_machine_is_described)
{
    const machine here = describe_machine(true);
    BOOST_TEST(here.cores >= 1u);
    BOOST_TEST(here.cpu != "");
    BOOST_TEST(here.kernel.starts_with("Linux "));
    BOOST_TEST(here.compiler != "");
    BOOST_TEST(here.pinned);
}

BOOST_AUTO_TEST_SUITE_END()
