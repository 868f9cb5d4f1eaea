// --metrics, --otlp and --message-log: what others see of what is served.

#include "support/collector.hpp"
#include "support/descriptors.hpp"
#include "support/http_client.hpp"
#include "support/http_program.hpp"
#include "support/line_reader.hpp"
#include "support/scratch_directory.hpp"
#include "support/server_process.hpp"
#include "support/socket_client.hpp"
#include "support/text_search.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>

namespace json = boost::json;
using namespace partyline::test;
using words = std::vector<std::string>;

namespace {

std::string request(const std::string& id, const std::string& method, const std::string& params)
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params + '}';
}

// The sample server, on standard input and output or listening, whose standard error is read.
class observed_program {
public:
    explicit observed_program(const words& options)
    {
        auto [reading, writing] = make_pipe();
        auto [from_us, to_it] = make_pipe();
        auto [from_it, to_us] = make_pipe();
        process_.emplace(PARTYLINE_ECHO, options, child_stdio{from_us.get(), to_us.get(), writing.get()});
        errors_ = line_reader(std::move(reading));
        replies_ = line_reader(std::move(from_it));
        input_ = std::move(to_it);
    }

    std::uint16_t port_of(const std::string& beginning)
    {
        const std::string line = errors_.read_line().value_or("nothing");
        BOOST_TEST_REQUIRE(line.starts_with(beginning), line);
        return static_cast<std::uint16_t>(std::stoi(line.substr(line.rfind(':') + 1)));
    }
    std::string ask(const std::string& message)
    {
        write_all(input_.get(), message + '\n');
        return replies_.read_line().value_or("nothing");
    }
    void end_input() { input_.reset(); }
    line_reader& errors() { return errors_; }
    child_process& process() { return *process_; }

private:
    std::optional<child_process> process_;
    line_reader errors_;
    line_reader replies_;
    unique_fd input_;
};

struct telemetry_fixture {
    scratch_directory scratch;
    boost::asio::io_context context;

    std::string log() const { return (scratch / "messages.log").string(); }
    std::vector<json::object> logged() const
    {
        std::vector<json::object> all;
        std::ifstream file(log());
        for (std::string line; std::getline(file, line);)
            all.push_back(json::parse(line).as_object());
        return all;
    }
    void wait_until_logged() const
    {
        const auto end = std::chrono::steady_clock::now() + patience;
        while (logged().empty() && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        BOOST_TEST_REQUIRE(!logged().empty());
    }
    http_response get(std::uint16_t port, const std::string& path, const std::string& method = "GET")
    {
        http_client client(context, port);
        client.request(method, path, method == "POST" ? "Content-Length: 0\r\n" : "");
        return client.response();
    }
};

bool has_line(const std::string& text, const std::string& line)
{
    return ('\n' + text).find('\n' + line + '\n') != std::string::npos;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(telemetry_options, telemetry_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(metrics_are_served_beside_standard_input_and_output)
{
    observed_program echo({"--metrics", "0"});
    const std::uint16_t port = echo.port_of("metrics on http://127.0.0.1:");
    echo.ask(request("1", "echo", "[1]"));
    echo.ask(request("2", "no_such_method", "[1]"));
    const http_response got = get(port, "/metrics");
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got.field("content-type") == "text/plain; version=0.0.4; charset=utf-8");
    BOOST_TEST(has_line(got.body, R"(partyline_requests_total{method="echo",outcome="result"} 1)"), got.body);
    BOOST_TEST(has_line(got.body, R"(partyline_requests_total{method="other",outcome="refused"} 1)"), got.body);
    BOOST_TEST(has_line(got.body, "partyline_sessions 1"), got.body);
    BOOST_TEST(has_line(got.body, R"(partyline_messages_total{direction="in"} 2)"), got.body);
    BOOST_TEST(get(port, "/").status == 404);
    BOOST_TEST(get(port, "/metrics", "POST").status == 405);
    echo.end_input();
    BOOST_TEST(echo.process().wait_exit() == 0);
}

BOOST_AUTO_TEST_CASE(metrics_are_served_beside_sockets)
{
    observed_program echo({"--metrics", "0", "--tcp", "0"});
    const std::uint16_t metrics = echo.port_of("metrics on http://127.0.0.1:");
    socket_client client(echo.port_of("listening on tcp 127.0.0.1:"));
    client.send(request("1", "echo", "[1]") + '\n');
    client.expect(R"({"jsonrpc":"2.0","id":1,"result":[1]})");
    const std::string text = get(metrics, "/metrics").body;
    BOOST_TEST(has_line(text, "partyline_connections 1"), text);
    BOOST_TEST(has_line(text, R"(partyline_requests_total{method="echo",outcome="result"} 1)"), text);
    echo.process().signal(SIGTERM);
    BOOST_TEST(echo.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(metrics_are_served_beside_http)
{
    observed_program echo({"--metrics", "0", "--http", "0"});
    const std::uint16_t metrics = echo.port_of("metrics on http://127.0.0.1:");
    http_client client(context, echo.port_of("listening on http://127.0.0.1:"));
    BOOST_TEST(client.ask("/rpc", request("1", "echo", "[1]")).status == 200);
    const std::string text = get(metrics, "/metrics").body;
    BOOST_TEST(has_line(text, "partyline_connections 1"), text);
    BOOST_TEST(has_line(text, R"(partyline_requests_total{method="echo",outcome="result"} 1)"), text);
    echo.process().signal(SIGTERM);
    BOOST_TEST(echo.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(metrics_are_for_loopback_unless_told_otherwise)
{
    observed_program refused({"--metrics", "0.0.0.0:0"});
    const std::string why = refused.errors().read_rest();
    BOOST_TEST(why.find("0.0.0.0 is no loopback address") != why.npos, why);
    BOOST_TEST(refused.process().wait_exit() == 2);
    observed_program echo({"--metrics", "0.0.0.0:0", "--allow-any-address"});
    BOOST_TEST(echo.port_of("metrics on http://0.0.0.0:") != 0);
}

BOOST_AUTO_TEST_CASE(metrics_whose_port_is_taken_end_the_program_as_other_listeners_do)
{
    observed_program first({"--metrics", "0"});
    const std::string port = std::to_string(first.port_of("metrics on http://127.0.0.1:"));
    observed_program second({"--metrics", port});
    BOOST_TEST(second.errors().read_rest() ==
               "partyline-echo: --metrics: cannot listen on tcp 127.0.0.1:" + port + ": Address already in use\n");
    BOOST_TEST(second.process().wait_exit() == 3);
}

BOOST_AUTO_TEST_CASE(each_message_is_a_line_of_the_log)
{
    observed_program echo({"--message-log", log()});
    echo.ask(request("1", "echo", R"(["planted-params"])"));
    echo.ask(request("\"b\"", "no_such_method", "[1]"));
    echo.ask("[" + request("3", "add", "[1,2]") + "]");
    echo.end_input();
    BOOST_TEST(echo.process().wait_exit() == 0);
    const std::vector<json::object> lines = logged();
    BOOST_TEST_REQUIRE(lines.size() == 3u);
    BOOST_TEST(lines[0].at("method") == "echo");
    BOOST_TEST(lines[0].at("id") == 1);
    BOOST_TEST(lines[0].at("code") == 0);
    BOOST_TEST(lines[0].at("element") == false);
    BOOST_TEST(lines[0].at("trace").as_string().size() == 32u);
    BOOST_TEST(lines[1].at("code") == -32601);
    BOOST_TEST(lines[1].at("outcome") == "refused");
    BOOST_TEST(lines[2].at("element") == true);
    BOOST_TEST(read_whole(open_file(log(), O_RDONLY).get()).find("planted") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_log_is_opened_again_at_sighup)
{
    observed_program echo({"--message-log", log(), "--http", "0"});
    const std::uint16_t port = echo.port_of("listening on http://127.0.0.1:");
    BOOST_TEST(http_client(context, port).ask("/rpc", request("1", "echo", "[1]")).status == 200);
    wait_until_logged(); // else this line may come to the new file
    std::filesystem::rename(log(), log() + ".1");
    echo.process().signal(SIGHUP);
    const auto end = std::chrono::steady_clock::now() + patience;
    do
        BOOST_TEST(http_client(context, port).ask("/rpc", request("2", "echo", "[1]")).status == 200);
    while (logged().empty() && std::chrono::steady_clock::now() < end);
    BOOST_TEST_REQUIRE(!logged().empty());
    BOOST_TEST(logged().front().at("id") == 2);
    echo.process().signal(SIGTERM);
    BOOST_TEST(echo.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(a_log_that_cannot_be_opened_is_told_at_once)
{
    observed_program echo({"--message-log", (scratch / "no" / "folder").string()});
    const std::string why = echo.errors().read_rest();
    BOOST_TEST(why.find("--message-log") != why.npos, why);
    BOOST_TEST(echo.process().wait_exit() == 2);
}

BOOST_AUTO_TEST_CASE(spans_are_exported_before_the_program_ends)
{
    collector to(collector::conduct::takes);
    observed_program echo({"--otlp", to.address()});
    echo.ask(
        request("1", "echo", R"({"_meta":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}})"));
    echo.end_input();
    BOOST_TEST(echo.process().wait_exit() == 0);
    const std::string sent = to.wait_for(1).front();
    BOOST_TEST(sent.starts_with("POST /v1/traces HTTP/1.1\r\n"), sent);
    const json::value payload = json::parse(sent.substr(sent.find("\r\n\r\n") + 4));
    const json::value& span = payload.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").at(0);
    BOOST_TEST(span.at("traceId") == "0af7651916cd43dd8448eb211c80319c");
    BOOST_TEST(span.at("parentSpanId") == "b7ad6b7169203331");
    BOOST_TEST(span.at("name") == "echo");
}

BOOST_AUTO_TEST_CASE(a_collector_that_hangs_holds_up_neither_requests_nor_the_end)
{
    collector to(collector::conduct::hangs);
    observed_program echo({"--otlp", to.address(), "--metrics", "0"});
    const std::uint16_t metrics = echo.port_of("metrics on http://127.0.0.1:");
    for (int i = 0; i != 4000; ++i)
        echo.ask(request(std::to_string(i), "echo", "[1]"));
    to.wait_for(1);
    const std::string text = get(metrics, "/metrics").body;
    BOOST_TEST(!has_line(text, "partyline_spans_dropped_total 0"), text);
    BOOST_TEST(has_line(text, R"(partyline_requests_total{method="echo",outcome="result"} 4000)"), text);
    echo.end_input();
    BOOST_TEST(echo.process().wait_exit() == 0);
    BOOST_TEST(contains(echo.errors().read_rest(), "--otlp: the collector has not taken the last spans in time"));
}

BOOST_AUTO_TEST_CASE(a_collector_whose_answer_never_ends_has_the_spans)
{
    collector to(collector::conduct::never_ends);
    observed_program echo({"--otlp", to.address()});
    echo.ask(request("1", "echo", "[1]"));
    echo.end_input();
    BOOST_TEST(echo.process().wait_exit() == 0);
    to.wait_for(1);
}

BOOST_AUTO_TEST_CASE(a_collector_that_is_not_there_costs_spans_alone)
{
    std::string gone;
    {
        const collector to(collector::conduct::takes);
        gone = to.address();
    }
    observed_program echo({"--otlp", gone});
    BOOST_TEST(echo.ask(request("1", "echo", "[1]")) == R"({"jsonrpc":"2.0","id":1,"result":[1]})");
    echo.end_input();
    BOOST_TEST(echo.process().wait_exit() == 0);
    const std::string said = echo.errors().read_rest();
    BOOST_TEST(said.find("--otlp: 1 spans were dropped") != said.npos, said);
}

BOOST_AUTO_TEST_CASE(a_busy_collector_is_asked_again)
{
    collector to(collector::conduct::is_busy_once);
    observed_program echo({"--otlp=" + to.address()});
    for (int i = 0; i != 512; ++i)
        echo.ask(request(std::to_string(i), "echo", "[1]"));
    const std::vector<std::string> sent = to.wait_for(2);
    BOOST_TEST((sent[0] == sent[1]));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_the_options_is_told)
{
    for (const auto& [given, text] :
         {std::pair(words{"--otlp", "collector:4317"}, "expected the address of a collector"),
          std::pair(words{"--otlp"}, "OTEL_EXPORTER_OTLP_ENDPOINT"), std::pair(words{"--metrics", "here"}, "here"),
          std::pair(words{"--metrics"}, "metrics")}) {
        observed_program echo(given);
        const std::string why = echo.errors().read_rest();
        BOOST_TEST(why.find(text) != why.npos, why);
        BOOST_TEST(echo.process().wait_exit() == 2);
    }
}

BOOST_AUTO_TEST_CASE(thirty_secrets_of_messages_are_in_none_of_it)
{
    collector to(collector::conduct::takes);
    observed_program echo({"--otlp", to.address(), "--metrics", "0", "--message-log", log()});
    const std::uint16_t metrics = echo.port_of("metrics on http://127.0.0.1:");
    for (int i = 0; i != 30; ++i) {
        const std::string secret = "planted-" + std::to_string(i);
        const std::string params = R"({"access_token":")" + secret + R"(","nested":{"Authorization":"Bearer )" +
                                   secret + R"("},"_meta":{"client_secret":")" + secret + R"("}})";
        echo.ask(request(std::to_string(i), i % 3 == 0 ? "no_such" : "echo", params));
    }
    const std::string text = get(metrics, "/metrics").body;
    echo.end_input();
    BOOST_TEST(echo.process().wait_exit() == 0);
    BOOST_TEST(text.find("planted") == text.npos);
    for (const std::string& sent : to.wait_for(1))
        BOOST_TEST(sent.find("planted") == sent.npos);
    BOOST_TEST(logged().size() == 30u);
    BOOST_TEST(read_whole(open_file(log(), O_RDONLY).get()).find("planted") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(thirty_secrets_of_http_are_in_none_of_it)
{
    collector to(collector::conduct::takes);
    observed_program echo({"--otlp", to.address(), "--metrics", "0", "--message-log", log(), "--http", "0"});
    const std::uint16_t metrics = echo.port_of("metrics on http://127.0.0.1:");
    const std::uint16_t port = echo.port_of("listening on http://127.0.0.1:");
    for (int i = 0; i != 30; ++i) {
        const std::string secret = "planted-" + std::to_string(i);
        const std::string fields = "Authorization: Bearer " + secret + "\r\nCookie: session=" + secret +
                                   "\r\nMcp-Session-Id: " + secret + "\r\nX-Api-Key: " + secret + "\r\n";
        http_client(context, port)
            .ask("/rpc?access_token=" + secret, request("1", "echo", "[\"" + secret + "\"]"), fields);
    }
    const std::string text = get(metrics, "/metrics").body;
    echo.process().signal(SIGTERM);
    BOOST_TEST(echo.process().wait_exit() == 128 + SIGTERM);
    BOOST_TEST(has_line(text, R"(partyline_requests_total{method="echo",outcome="result"} 30)"), text);
    BOOST_TEST(text.find("planted") == text.npos);
    for (const std::string& sent : to.wait_for(1))
        BOOST_TEST(sent.find("planted") == sent.npos);
    BOOST_TEST(logged().size() == 30u);
    BOOST_TEST(read_whole(open_file(log(), O_RDONLY).get()).find("planted") == std::string::npos);
    BOOST_TEST(echo.errors().read_rest().find("planted") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(who_authenticates_is_counted_by_the_outcome)
{
    const std::string file = (scratch / "access.json").string();
    std::ofstream(file) << R"({"tokens":[],"rules":[{"methods":["echo"]}]})";
    std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    observed_program echo({"--metrics", "0", "--http", "0", "--access", file});
    const std::uint16_t metrics = echo.port_of("metrics on http://127.0.0.1:");
    const std::uint16_t port = echo.port_of("listening on http://127.0.0.1:");
    http_client(context, port).ask("/rpc", request("1", "echo", "[1]"));
    http_client(context, port).ask("/rpc", request("1", "echo", "[1]"), "Authorization: Bearer wrong\r\n");
    const std::string text = get(metrics, "/metrics").body;
    BOOST_TEST(has_line(text, R"(partyline_auth_total{outcome="missing"} 1)"), text);
    BOOST_TEST(has_line(text, R"(partyline_auth_total{outcome="invalid"} 1)"), text);
}

BOOST_AUTO_TEST_SUITE_END()
