// Plain JSON-RPC through the gateway.

#include "running_gateway.hpp"
#include "support/descriptors.hpp"
#include "support/scratch_directory.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>

namespace json = boost::json;
using partyline::test::http_client;
using partyline::test::http_response;
using partyline::test::running_gateway;

namespace {

std::string request(std::string_view id, std::string_view method, std::string_view params)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + std::string(id) + ",\"method\":\"" + std::string(method) +
           "\",\"params\":" + std::string(params) + '}';
}

std::string result(std::string_view id, std::string_view of)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + std::string(id) + ",\"result\":" + std::string(of) + '}';
}

std::size_t count_of(const std::string& file, std::string_view part)
{
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

struct echo_fixture {
    running_gateway gateway{{"--threads", "1", "--", PARTYLINE_ECHO}}; // one server: each thread would have one
    http_client client = gateway.connect();
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(gateway_plain, echo_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(ids_and_results_come_back_as_they_are)
{
    for (const char* id : {"1", "\"1\"", "1.0", "0", "\"\"", "-1", "9007199254740993", "\"\\u0061\\n\""}) {
        const std::string params = R"([1.0,-0.0,1e2,"\u00e4\"\\",{"b":null,"a":[[]]},true])";
        const http_response got = client.ask("/rpc", request(id, "echo", params));
        BOOST_TEST(got.status == 200);
        BOOST_TEST(got.body.starts_with("{\"jsonrpc\":\"2.0\",\"id\":" + std::string(id) + ",\"result\":["), got.body);
    }
    BOOST_TEST(client.ask("/rpc", request("1", "add", "[2,40]")).body == result("1", "42"));
    BOOST_TEST(client.ask("/rpc", request("1", "echo", R"({"z":1,"a":{"y":2}})")).body ==
               result("1", R"({"z":1,"a":{"y":2}})"));
}

BOOST_AUTO_TEST_CASE(errors_come_back_as_they_are)
{
    const http_response got =
        client.ask("/rpc", request("1", "fail", R"({"code":-5,"message":"no","data":{"a":[1,null]}})"));
    BOOST_TEST(got.body == R"({"jsonrpc":"2.0","id":1,"error":{"code":-5,"message":"no","data":{"a":[1,null]}}})");
    BOOST_TEST(client.ask("/rpc", request("1", "nope", "[]")).body.find("-32601") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(progress_is_told_under_the_clients_id)
{
    const http_response got = client.ask("/rpc", request("\"p\"", "count", R"({"to":2,"ms":1})"));
    BOOST_TEST(got.body.find(R"("params":{"token":"p","value":1})") != std::string::npos, got.body);
    BOOST_TEST(got.body.find(result("\"p\"", R"({"counted":2})")) != std::string::npos, got.body);
}

// rule: security.shared.messages
BOOST_AUTO_TEST_CASE(clients_with_the_same_ids_get_their_own_answers)
{
    http_client other = gateway.connect();
    client.post("/rpc", request("1", "delay", R"({"ms":200,"value":"first"})"));
    other.post("/rpc", request("1", "delay", R"({"ms":1,"value":"second"})"));
    BOOST_TEST(other.response().body == result("1", "\"second\""));
    BOOST_TEST(client.response().body == result("1", "\"first\""));
    BOOST_TEST(gateway.servers().size() == 1u); // one serves both
}

BOOST_AUTO_TEST_CASE(a_server_that_dies_is_an_error_and_there_is_another_one)
{
    BOOST_TEST(client.ask("/rpc", request("1", "add", "[1,1]")).status == 200);
    const int first = gateway.wait_for_servers(1).front();
    client.post("/rpc", request("2", "delay", R"({"ms":100000})"));
    http_client other = gateway.connect();
    BOOST_TEST(other.ask("/rpc", request("3", "add", "[1,1]")).status == 200); // the other one is under way by now
    const auto began = std::chrono::steady_clock::now();
    ::kill(first, SIGKILL);
    const http_response got = client.response();
    BOOST_TEST((std::chrono::steady_clock::now() - began < std::chrono::seconds(5)));
    const json::value error = json::parse(got.body).at("error");
    BOOST_TEST((error.at("code") == -32603));
    BOOST_TEST(!error.at("data").at("reason").as_string().empty());
    BOOST_TEST(client.ask("/rpc", request("4", "add", "[2,2]")).body == result("4", "4"));
    BOOST_TEST(gateway.wait_for_servers(1).front() != first);
}

BOOST_AUTO_TEST_CASE(what_names_a_request_reaches_the_server_for_the_clients_own_alone)
{
    const partyline::test::scratch_directory folder;
    const std::string log = folder / "said";
    running_gateway shared({"--share", "--", "sh", "-c", "tee '" + log + "' | " + PARTYLINE_ECHO});
    http_client one = shared.connect();
    http_client other = shared.connect();
    one.send(request("\"mine\"", "delay", R"({"ms":100000})") + '\n');
    const auto adds = [](http_client& by, std::string_view id) {
        by.send(request(id, "add", "[2,40]") + '\n');
        const std::string wanted = result(id, "42") + '\n';
        BOOST_TEST(by.read_bytes(wanted.size()) == wanted);
    };
    adds(one, "1");
    for (const char* id : {"0", "1", "2", "\"mine\""}) {
        for (const char* method :
             {"notifications/cancelled", "$/cancelRequest", "notifications/progress", "$/progress"})
            other.send(R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":{"requestId":)" + id +
                       R"(,"id":)" + id + R"(,"token":)" + id + R"(,"progressToken":)" + id + "}}\n");
    }
    adds(other, "2");
    adds(one, "3"); // which nothing came before
    BOOST_TEST(count_of(log, "cancel") == 0u);
    BOOST_TEST(count_of(log, "rogress\"") == 0u);
    one.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"mine"}})"
             "\n");
    const std::string failed = R"({"jsonrpc":"2.0","id":"mine","error":)";
    BOOST_TEST(one.read_bytes(failed.size()) == failed);
    partyline::test::run_until(shared.context, [&] { return count_of(log, "$/cancelRequest") == 1; });
    BOOST_TEST(count_of(log, "mine") == 0u);
}

// rule: security.descriptors.orphans
BOOST_AUTO_TEST_CASE(no_server_outlives_the_gateway)
{
    client.post("/rpc", request("2", "delay", R"({"ms":100000})"));
    gateway.wait_for_servers(1);
    gateway.process().signal(SIGTERM);
    client.close();
    BOOST_TEST(gateway.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(gateway_log, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(that_nobody_reads_stops_neither_the_gateway_nor_its_end)
{
    running_gateway gateway(
        {"--", "/bin/sh", "-c",
         "head -c 60000 /dev/zero | tr '\\0' x | fold -w 100 >&2; exec " + std::string(PARTYLINE_ECHO)});
    partyline::test::shrink_pipe(gateway.errors().fd());
    http_client client = gateway.connect();
    for (int i = 0; i < 10; ++i)
        BOOST_TEST(client.ask("/rpc", request("1", "add", "[2,40]")).body == result("1", "42"));
    gateway.process().signal(SIGTERM);
    BOOST_TEST(gateway.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_SUITE_END()
