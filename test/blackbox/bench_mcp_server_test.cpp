// The benchmark's server with MCP in it: what it measures has to be right first.

#include "bench/servers/work.hpp"
#include "support/requests.hpp"
#include "support/server_process.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

using namespace partyline::test;

BOOST_AUTO_TEST_SUITE(bench_mcp_server, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(without_an_option_it_has_the_methods_of_the_other)
{
    server_process s(PARTYLINE_BENCH_MCP_SERVER, {});
    s.send_request("echo_typed", R"({"text":"x"})");
    s.expect_result(R"({"text":"x"})");
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(with_mcp_it_has_an_echo_among_its_tools)
{
    server_process s(PARTYLINE_BENCH_MCP_SERVER, {"--mcp"});
    s.send_request("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                                 R"("clientInfo":{"name":"test","version":"1"}})");
    BOOST_TEST(s.read_message().at("result").at("protocolVersion") == "2025-11-25");
    s.send_bytes("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    s.send_request("tools/call", R"({"name":"echo","arguments":{"text":"x"}})");
    s.expect_result(R"({"content":[{"type":"text","text":"{\"text\":\"x\"}"}],"structuredContent":{"text":"x"}})");
    s.send_request("tools/list", "{}");
    const boost::json::value list = s.read_message().at("result");
    BOOST_TEST(list.at("tools").as_array().size() == bench::tool_count);
    const double size = static_cast<double>(boost::json::serialize(list).size());
    BOOST_TEST(size == static_cast<double>(bench::tool_list_bytes), boost::test_tools::tolerance(0.02));
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(it_serves_a_client_without_a_handshake)
{
    server_process s(PARTYLINE_BENCH_MCP_SERVER, {"--mcp"});
    s.send_request("tools/call", R"({"name":"echo","arguments":{"text":"x"},"_meta":{)"
                                 R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                 R"("io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},)"
                                 R"("io.modelcontextprotocol/clientCapabilities":{}}})");
    const boost::json::value result = s.read_message().at("result");
    BOOST_TEST(result.at("structuredContent").at("text") == "x");
    BOOST_TEST(result.at("resultType") == "complete");
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_SUITE_END()
