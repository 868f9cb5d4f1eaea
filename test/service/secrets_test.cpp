// Secrets in requests, answers, messages and addresses, and all that the programs write about these.

#include "served_program.hpp"
#include "support/access_fixture.hpp"
#include "support/descriptors.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <thread>

using namespace partyline::test;
namespace asio = boost::asio;

namespace {

// A new one each time, whose beginning is looked for.
class planted_secrets {
public:
    std::string next() { return "s3cret" + std::to_string(++count_) + "x"; }
    int count() const noexcept { return count_; }

private:
    int count_ = 0;
};

void expect_none(const std::string& where, const std::string& said)
{
    BOOST_TEST(!contains(said, "s3cret"), where << " has one: " << said);
}

// A web server of one answer to one request.
class stub_server {
public:
    explicit stub_server(std::string answer) : listener_(context_, {asio::ip::address_v4::loopback(), 0})
    {
        thread_ = std::thread([this, answer = std::move(answer)] {
            boost::system::error_code ignored;
            asio::ip::tcp::socket client(context_);
            listener_.accept(client, ignored);
            std::string request;
            asio::read_until(client, asio::dynamic_buffer(request), "\r\n\r\n", ignored);
            asio::write(client, asio::buffer(answer), ignored);
        });
    }
    ~stub_server() { thread_.join(); }
    std::string url(const std::string& rest) const
    {
        return "http://127.0.0.1:" + std::to_string(listener_.local_endpoint().port()) + rest;
    }

private:
    asio::io_context context_;
    asio::ip::tcp::acceptor listener_;
    std::thread thread_;
};

// All that a program says until it ends.
std::string said_by(const std::string& program, const words& command)
{
    pipe_ends in = make_pipe();
    pipe_ends out = make_pipe();
    child_process s(program, command, {in.read.get(), out.write.get(), out.write.get()});
    in = {};
    out.write.reset();
    std::string said = line_reader(std::move(out.read)).read_rest();
    s.wait_exit();
    return said;
}

std::string said_by_call(const words& command)
{
    std::string said = said_by(PARTYLINE_CALL, command);
    BOOST_TEST(said != "");
    return said;
}

// Fields of a request, each with a secret, and a query with more.
std::string secret_fields(planted_secrets& secret)
{
    return "Authorization: Bearer " + secret.next() + "\r\nProxy-Authorization: Basic " + secret.next() +
           "\r\nCookie: id=" + secret.next() + "\r\nMcp-Session-Id: " + secret.next() +
           "\r\nPartyline-Proof: " + secret.next() + "\r\n";
}

std::string secret_query(planted_secrets& secret)
{
    return "access_token=" + secret.next() + "&refresh_token=" + secret.next() + "&client_secret=" + secret.next() +
           "&code=" + secret.next();
}

std::string answer(const std::string& status, const std::string& fields, const std::string& body)
{
    return "HTTP/1.1 " + status + "\r\n" + fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           body;
}

} // namespace

BOOST_AUTO_TEST_SUITE(planted, *boost::unit_test::timeout(100))

// rule: security.text.secrets
BOOST_AUTO_TEST_CASE(in_requests_are_in_no_log_of_a_program)
{
    const access_fixture access;
    access.write(R"({"tokens":[)" + access_fixture::entry(access.alice, "alice") +
                 R"(],"rules":[{"principals":["alice"],"methods":["*"]}]})");
    for (const service_program& each : http_programs()) {
        BOOST_TEST_CONTEXT(each.name())
        {
            planted_secrets secret;
            const std::string log = access.in(each.name());
            served_program s(each, {"--access-log", log, "--access", access.path()});
            for (const std::string path : {"/rpc", "/mcp", "/ws", "/cb;", "/nothing"}) {
                s.client().request("GET", path + (path.ends_with(';') ? "" : "?") + secret_query(secret),
                                   secret_fields(secret));
                s.client().response();
            }
            s.client().ask("/rpc?" + secret_query(secret), R"({"jsonrpc":"2.0","id":1,"method":"echo"})",
                           secret_fields(secret));
            s.client().ask("/rpc?" + secret_query(secret), R"({"jsonrpc":"2.0","id":1,"method":"echo"})",
                           access_fixture::field(access.alice));
            BOOST_TEST(secret.count() >= 30);
            BOOST_TEST(s.end() == each.end_code);
            const std::string said = s.said_rest();
            const std::string logged = read_file(log);
            BOOST_TEST(contains(logged, "\"/rpc\""), logged);
            expect_none("the access log", logged);
            expect_none("standard error", said);
            BOOST_TEST(!contains(logged + said, access.alice.token));
        }
    }
}

// rule: security.text.secrets
BOOST_AUTO_TEST_CASE(in_messages_are_in_no_log_of_a_session)
{
    planted_secrets secret;
    const scratch_directory scratch;
    const std::string trace = (scratch / "trace").string();
    served_program s(http_programs().front(), {"--trace", trace});
    const std::string thrown = "no answer to Authorization: Bearer " + secret.next();
    const std::string asked = "http://a/?" + secret_query(secret) + " failed";
    for (const std::string& text : {asked, thrown})
        s.client().ask("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"throw","params":[")" + text + R"("]})");
    s.end();
    expect_none("the log of a session", s.said_rest());
    BOOST_TEST(contains(read_file(trace), "s3cret1x")); // as messages are
}

// rule: security.text.secrets
BOOST_AUTO_TEST_CASE(as_proofs_are_in_no_trace)
{
    planted_secrets secret;
    const scratch_directory scratch;
    const std::string trace = (scratch / "trace").string();
    served_program s(http_programs().front(), {"--trace", trace});
    for (const std::string name : {"partyline/proof", "partyline\\/proof", "\\u0070artyline/proof"}) {
        const std::string meta = R"({"_meta":{")" + name + R"(":")" + secret.next() + R"("}})";
        s.client().ask("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"delay","params":)" + meta + "}");
        s.client().ask("/rpc", R"([{"jsonrpc":"2.0","id":1,"method":"delay","params":)" + meta + "}]");
    }
    s.end();
    expect_none("the trace", read_file(trace));
    BOOST_TEST(contains(read_file(trace), "[redacted]"));
}

// rule: security.text.secrets
BOOST_AUTO_TEST_CASE(in_addresses_and_answers_are_in_no_error_of_a_client)
{
    planted_secrets secret;
    const std::string nowhere = "http://127.0.0.1:1/rpc?" + secret_query(secret);
    expect_none("an error", said_by_call({nowhere, "x"}));
    expect_none("an error", said_by_call({"http:///?" + secret_query(secret), "x"}));
    const std::string answers[] = {
        answer("302 Found", "Location: http://a/cb?" + secret_query(secret) + "\r\n", ""),
        answer("400 Bad Request", "Content-Type: application/json\r\n",
               R"({"access_token":")" + secret.next() + R"(","code":")" + secret.next() + "\"}"),
        answer("500 Internal Server Error", "Content-Type: text/plain\r\n", "sent was " + secret_fields(secret)),
        answer("200 OK", "Content-Type: text/html\r\n", secret_query(secret)),
    };
    for (const std::string& each : answers) {
        const stub_server server(each);
        expect_none("an error", said_by_call({server.url("/rpc"), "x"}));
    }
    for (const std::string& each : answers) {
        const stub_server server(each);
        expect_none("an error of a gateway", said_by(PARTYLINE_GATEWAY, {"--stdio", server.url("/mcp")}));
        said_by_call({server.url("/rpc"), "x"}); // in case the gateway has not asked
    }
}

// rule: security.text.secrets
BOOST_AUTO_TEST_CASE(in_the_words_of_a_server_are_in_no_log_of_a_gateway)
{
    planted_secrets secret;
    const std::string server = "printf '%s\\n' 'GET /?" + secret_query(secret) + "' 'Cookie: " + secret.next() +
                               "' '{\"refresh_token\":\"" + secret.next() + "\"}' >&2; echo said >&2; exec \"$0\"";
    const service_program gateway{PARTYLINE_GATEWAY, {"--http", "0"}, {"--", "/bin/sh", "-c", server, PARTYLINE_ECHO}};
    served_program s(gateway, {});
    s.client().ask("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"echo"})");
    s.end();
    const std::string said = s.said_rest();
    BOOST_TEST(contains(said, "server: said"), said);
    expect_none("standard error", said);
}

// rule: security.text.secrets
BOOST_AUTO_TEST_CASE(in_options_and_access_files_are_in_no_error_about_them)
{
    planted_secrets secret;
    const access_fixture access;
    const std::string url = "http://127.0.0.1:1/rpc";
    const words calls[] = {
        {url, "x", "--header", "Authorization Bearer " + secret.next()},
        {url, "x", "--header", "Authorization: Bearer " + secret.next()},
        {url, "x", "--proxy", "http://user:" + secret.next() + "@127.0.0.1:1"},
        {"http://user:" + secret.next() + "@127.0.0.1:1/rpc", "x"},
        {url, "x", "--token-file", access.path()},
    };
    access.write("Bearer " + secret.next() + ' ' + secret.next());
    for (const words& each : calls)
        expect_none("an error", said_by_call(each));
    const std::string files[] = {
        R"({"tokens":[{"sha256":")" + secret.next() + R"(","principal":"alice"}]})",
        R"({"tokens":[{"token":")" + secret.next() + R"(","principal":"alice"}]})",
        R"({"tokens": )" + secret.next(),
    };
    for (const std::string& each : files) {
        access.write(each);
        expect_none("an error", said_by(PARTYLINE_GATEWAY, {"--check-access", access.path()}));
        expect_none("an error", said_by(PARTYLINE_GATEWAY, {"--explain", "alice", "x", "--access", access.path()}));
    }
    access.write(R"({"tokens":[)" + access_fixture::entry(access.alice, "alice") + R"(],"rules":[]})");
    const std::string explained = said_by(PARTYLINE_GATEWAY, {"--explain", "alice", "x", "--access", access.path()});
    BOOST_TEST(contains(explained, "no rule fits"), explained);
    BOOST_TEST(!contains(explained, access.alice.token));
    BOOST_TEST(!contains(explained, access.alice.sha256));
}

BOOST_AUTO_TEST_SUITE_END()
