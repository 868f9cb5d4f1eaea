#include "sample_results.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

using namespace bench;

BOOST_AUTO_TEST_SUITE(saved_results)

BOOST_AUTO_TEST_CASE(medians_ratios_and_targets_are_worked_out)
{
    const results all = test::make_results();
    const row& server = all.workloads[0].rows[2];
    BOOST_TEST(server.median.at("cpu_us") == 0.5);
    BOOST_TEST(server.median.at("per_second") == 2e6);
    BOOST_TEST_REQUIRE(server.ratio.has_value());
    BOOST_TEST(server.ratio->median == 0.5);
    BOOST_TEST(server.ratio->min == 0.4);
    BOOST_TEST(server.ratio->max == 0.65);
    BOOST_TEST(server.targets[0].reached);
    BOOST_TEST(!server.targets[1].reached);
    BOOST_TEST(!all.workloads[0].rows[0].ratio.has_value());
    BOOST_TEST(all.workloads[1].rows[0].targets[0].reached);
}

BOOST_AUTO_TEST_CASE(a_target_is_reached_by_the_very_figure)
{
    results all = test::make_results();
    all.workloads[1].rows[0].targets = {{"cpu_us", 4}, {"cpu_us", 3.99}};
    summarise(all);
    BOOST_TEST(all.workloads[1].rows[0].targets[0].reached);
    BOOST_TEST(!all.workloads[1].rows[0].targets[1].reached);
}

BOOST_AUTO_TEST_CASE(what_is_saved_can_be_read_again)
{
    const std::string saved = to_json(test::make_results());
    BOOST_TEST(to_json(from_json(saved)) == saved);
    BOOST_TEST(boost::json::parse(saved).at("workloads").at(0).at("rows").at(2).at("ratio").at("median") == 0.5);
}

BOOST_AUTO_TEST_CASE(anything_else_cannot)
{
    for (const char* text : {"", "{}", "[]", "{\"partyline\":1}", "not JSON"})
        BOOST_CHECK_THROW(from_json(text), std::runtime_error);
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
