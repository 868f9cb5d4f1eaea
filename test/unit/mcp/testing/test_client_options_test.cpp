// How the client of a test kit differs from others, unless it is told otherwise.

#include "eras.hpp"
#include "unit/testing/thrown.hpp"

#include <partyline/mcp/mcp.hpp>
#include <partyline/mcp/testing/test_client.hpp>

#include <boost/describe.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace mcp = partyline::mcp;
using namespace mcp_test;

namespace {

struct counted_files {
    int files = 0;
};
BOOST_DESCRIBE_STRUCT(counted_files, (), (files))

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_test_client_options, *boost::unit_test::timeout(60))

// rule: mcp.tools.output_check
BOOST_AUTO_TEST_CASE(a_structured_result_that_does_not_fit_the_schema_of_its_tool_is_thrown)
{
    mcp::server server("odd", "1");
    mcp::tool_options how;
    how.output_schema = partyline::json_text(R"({"type":"object","required":["folders"]})");
    server.add_tool("scan", "Scans.", [] { return counted_files{7}; }, how);
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        const std::string told = kit::thrown_by<boost::system::system_error>([&] { client.call("scan"); });
        BOOST_TEST(kit::contains(told, R"(structuredContent at "/folders": expected value, got nothing)"));
        expect_no_problems(client);
        mcp::test_client_options options;
        options.client.check_results = false;
        mcp::test_client other(server, era, options);
        BOOST_TEST(other.call("scan").as<counted_files>().files == 7);
    });
}

// Unless it is told to keep them.
BOOST_AUTO_TEST_CASE(each_call_reaches_the_server)
{
    int reads = 0;
    mcp::server_options lasting;
    lasting.resource_lifetime = std::chrono::minutes(1);
    mcp::server server("notes", "1", lasting);
    server.add_resource("notes://all", "all", "All notes.", [&] { return std::to_string(++reads); });
    in_each_era([&](mcp::era era) {
        reads = 0;
        mcp::test_client client(server, era);
        BOOST_TEST(client.read_resource("notes://all").text() == "1");
        BOOST_TEST(client.read_resource("notes://all").text() == "2");
    });
    mcp::test_client_options options;
    options.client.cache_bytes = 10'000;
    mcp::test_client keeping(server, mcp::era::modern, options);
    BOOST_TEST(keeping.read_resource("notes://all").text() == "3");
    BOOST_TEST(keeping.read_resource("notes://all").text() == "3");
    server.resource_updated("notes://all"); // it is not subscribed to that
    BOOST_TEST(keeping.read_resource("notes://all").text() == "3");
    keeping.subscribe("notes://all");
    BOOST_TEST(keeping.read_resource("notes://all").text() == "4");
    server.resource_updated("notes://all");
    keeping.run_until_idle();
    BOOST_TEST(keeping.read_resource("notes://all").text() == "5");
}

BOOST_AUTO_TEST_SUITE_END()
