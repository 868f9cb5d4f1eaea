// Signed calls over HTTP, WebSocket and a socket of lines, with an access file that changes meanwhile.

#include "gate_fixture.hpp"
#include "http_fixture.hpp"
#include "proof/proof_fixture.hpp"
#include "support/websocket_client.hpp"

#include <partyline/http.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace partyline::access;
using namespace std::chrono_literals;
using partyline::error_code;
using partyline::test::http_client;
using partyline::test::http_fixture;
using partyline::test::http_response;
using partyline::test::websocket_client;
namespace asio = boost::asio;
namespace http = partyline::http;

namespace {

const new_key signer_key = make_key("agent-7");
const new_key foreign_key = make_key("agent-8");
constexpr std::string_view bearer_field = "Authorization: Bearer good\r\n";

std::string proof_for(const new_key& key, std::string_view method, const std::string& params,
                      std::chrono::system_clock::time_point at = std::chrono::system_clock::now())
{
    return make_proof(private_key_of(key.private_jwk), method, digest_of_params(params).value(), at);
}

std::string request_of(std::string_view method, const std::string& params)
{
    return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":)" + params + '}';
}

std::string signed_request(const new_key& key, std::string_view method, const std::string& params)
{
    return request_of(method, proof_fixture::signed_params(params, proof_for(key, method, params)));
}

std::string refusal_of(std::string_view reason)
{
    const std::string_view text = reason == "missing" ? "A proof of this call is needed" : "The proof is not valid";
    return R"({"jsonrpc":"2.0","id":1,"error":{"code":-31006,"message":")" + std::string(text) +
           R"(","data":{"reason":")" + std::string(reason) + "\"}}}";
}

const std::string three = R"({"jsonrpc":"2.0","id":1,"result":3.0})";

/// A client of lines on a Unix socket.
class line_client {
public:
    line_client(http_fixture& of, const std::string& path) : of_(of), socket_(of.context)
    {
        socket_.connect(asio::local::stream_protocol::endpoint(path));
        socket_.non_blocking(true);
    }

    std::string ask(const std::string& line)
    {
        asio::write(socket_, asio::buffer(line + '\n'));
        std::size_t end = std::string::npos;
        of_.run_until([&] { return read(), (end = text_.find('\n')) != text_.npos || has_ended_; });
        std::string found = text_.substr(0, end);
        text_.erase(0, end == text_.npos ? end : end + 1);
        return found;
    }
    bool has_ended() { return read(), has_ended_; }

private:
    void read()
    {
        char room[4096];
        error_code failed;
        text_.append(room, socket_.read_some(asio::buffer(room), failed));
        has_ended_ = has_ended_ || (failed && failed != asio::error::would_block);
    }

    http_fixture& of_;
    asio::local::stream_protocol::socket socket_;
    std::string text_;
    bool has_ended_ = false;
};

struct served_proofs : http_fixture {
    served_proofs()
    {
        options.session.executor_is_serial = true;
        options.access = gate;
        partyline::method_table methods;
        methods.add("add", [](double a, double b) { return a + b; }, {"a", "b"});
        methods.add("who", [](partyline::request_context& request) {
            return request.peer().source + '/' + request.peer().principal;
        });
        const auto shared = std::make_shared<const partyline::method_table>(std::move(methods));
        served().add_rpc("/rpc", shared);
        served().add_websocket("/ws", shared);
        served().add_sessions(shared);
        start();
        http::accepted_protocols accepted;
        accepted.http = false;
        accepted.lines = true;
        served().listen_unix(socket_path(), accepted);
    }

    static std::string text(std::string_view more = {})
    {
        return R"({"anonymous":true,"tokens":[{"principal":"agent-7","sha256":")" + gate_fixture::sha256("good") +
               R"("}],"signers":[{"principal":"agent-8","jwk":)" + foreign_key.public_jwk + "}" + std::string(more) +
               R"(],"rules":[{"methods":["add"],"proof":true},{"methods":["who"],"principals":["agent-7","anonymous"]}]})";
    }
    static std::string with_signer() { return text(R"(,{"principal":"agent-7","jwk":)" + signer_key.public_jwk + "}"); }
    void change(std::string_view to)
    {
        file.write(to);
        gate->reload();
    }
    std::string socket_path() const { return file.path() + ".socket"; }

    /// Calls `check` with a way to ask for each transport, whose peer is agent-7: by its token or by its first proof.
    void on_each_transport(const std::function<void(const std::function<std::string(std::string)>&)>& check)
    {
        {
            http_client post = connect();
            BOOST_TEST_CONTEXT("POST")
            check([&](const std::string& m) { return post.ask("/rpc", m, bearer_field).body; });
        }
        {
            websocket_client client(context, port());
            client.open("/ws", bearer_field);
            BOOST_TEST_CONTEXT("WebSocket, by its token")
            check([&](const std::string& m) { return client.say(m), client.next_text(); });
        }
        {
            websocket_client client(context, port());
            client.open("/ws");
            client.say(signed_request(signer_key, "add", R"({"a":1,"b":2})"));
            BOOST_TEST(client.next_text() == three);
            BOOST_TEST_CONTEXT("WebSocket, by a proof")
            check([&](const std::string& m) { return client.say(m), client.next_text(); });
        }
        line_client lines(*this, socket_path());
        BOOST_TEST(lines.ask(signed_request(signer_key, "add", R"({"a":1,"b":2})")) == three);
        BOOST_TEST_CONTEXT("socket, by a proof") check([&](const std::string& m) { return lines.ask(m); });
    }

    const scratch_file file{with_signer()};
    const std::shared_ptr<partyline::access::gate> gate = std::make_shared<partyline::access::gate>(file.path());
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(served_proofs_suite, served_proofs, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_signed_call_is_served_and_another_one_is_not)
{
    on_each_transport([](const auto& ask) {
        const std::string params = R"({"a":1,"b":2})";
        BOOST_TEST(ask(signed_request(signer_key, "add", params)) == three);
        BOOST_TEST(ask(request_of("add", params)) == refusal_of("missing"));
        BOOST_TEST(ask(request_of("add", "[1,2]")) == refusal_of("missing"));
        BOOST_TEST(ask(signed_request(foreign_key, "add", params)) == refusal_of("key"));
    });
}

BOOST_AUTO_TEST_CASE(another_method_and_other_params_are_refused)
{
    on_each_transport([](const auto& ask) {
        const std::string params = R"({"a":1,"b":2})";
        const auto with = [&](const std::string& sent, const std::string& proof) {
            return ask(request_of("add", proof_fixture::signed_params(sent, proof)));
        };
        BOOST_TEST(with(params, proof_for(signer_key, "sub", params)) == refusal_of("method"));
        BOOST_TEST(with(params, proof_for(signer_key, "add", R"({"a":2,"b":1})")) == refusal_of("params"));
        BOOST_TEST(with(R"({ "b": 2.0, "a": 1e0 })", proof_for(signer_key, "add", params)) == three);
        BOOST_TEST(with(R"({"a":9007199254740993,"b":2})",
                        proof_for(signer_key, "add", R"({"a":9007199254740992,"b":2})")) == refusal_of("params"));
    });
}

BOOST_AUTO_TEST_CASE(a_recorded_call_is_not_served_again_by_whichever_way_it_comes)
{
    const std::string recorded = signed_request(signer_key, "add", R"({"a":1,"b":2})");
    bool is_first = true;
    on_each_transport([&](const auto& ask) {
        BOOST_TEST(ask(recorded) == (is_first ? three : refusal_of("replayed")));
        BOOST_TEST(ask(recorded) == refusal_of("replayed"));
        is_first = false;
    });
}

BOOST_AUTO_TEST_CASE(old_and_future_proofs_are_refused)
{
    on_each_transport([](const auto& ask) {
        const std::string params = R"({"a":1,"b":2})";
        for (const auto away : {-62s, 8s, 3600s})
            BOOST_TEST(ask(request_of("add", proof_fixture::signed_params(
                                                 params, proof_for(signer_key, "add", params,
                                                                   std::chrono::system_clock::now() + away)))) ==
                       refusal_of("time"));
        BOOST_TEST(ask(request_of("add", proof_fixture::signed_params(
                                             params, proof_for(signer_key, "add", params,
                                                               std::chrono::system_clock::now() - 40s)))) == three);
    });
}

BOOST_AUTO_TEST_CASE(the_status_of_a_refusal_is_403_and_of_no_room_503)
{
    http_client post = connect();
    const http_response refused = post.ask("/rpc", request_of("add", "{}"), bearer_field);
    BOOST_TEST(refused.status == 403);
    BOOST_TEST(refused.field("www-authenticate") == "");
    const http_response batch = post.ask("/rpc", '[' + request_of("add", "{}") + ']', bearer_field);
    BOOST_TEST(batch.status == 200);
    BOOST_TEST(batch.body == '[' + refusal_of("missing") + ']');
}

BOOST_AUTO_TEST_CASE(over_http_a_proof_alone_says_not_who_somebody_is)
{
    http_client post = connect();
    const http_response refused = post.ask("/rpc", signed_request(signer_key, "add", R"({"a":1,"b":2})"));
    BOOST_TEST(refused.status == 403);
    BOOST_TEST(refused.body == refusal_of("key"));
    BOOST_TEST(post.ask("/rpc", request_of("who", "{}")).body == R"({"jsonrpc":"2.0","id":1,"result":"/"})");
}

BOOST_AUTO_TEST_CASE(the_first_proof_on_a_socket_names_its_peer_for_good)
{
    line_client lines(*this, socket_path());
    BOOST_TEST(lines.ask(request_of("who", "{}")) == R"({"jsonrpc":"2.0","id":1,"result":"/"})");
    BOOST_TEST(lines.ask(request_of("add", "{}")) == refusal_of("missing"));
    BOOST_TEST(lines.ask(signed_request(signer_key, "add", R"({"a":1,"b":2})")) == three);
    BOOST_TEST(lines.ask(request_of("who", "{}")) == R"({"jsonrpc":"2.0","id":1,"result":"proof/agent-7"})");
    BOOST_TEST(lines.ask(signed_request(foreign_key, "add", R"({"a":1,"b":2})")) == refusal_of("key"));
    line_client other(*this, socket_path());
    BOOST_TEST(other.ask(request_of("who", "{}")) == R"({"jsonrpc":"2.0","id":1,"result":"/"})");
}

BOOST_AUTO_TEST_CASE(a_conversation_that_a_proof_has_named_ends_when_its_signer_is_taken_away)
{
    line_client lines(*this, socket_path());
    BOOST_TEST(lines.ask(signed_request(signer_key, "add", R"({"a":1,"b":2})")) == three);
    line_client unnamed(*this, socket_path());
    BOOST_TEST(unnamed.ask(request_of("who", "{}")) == R"({"jsonrpc":"2.0","id":1,"result":"/"})");
    change(text());
    run_until([&] { return lines.has_ended(); });
    BOOST_TEST(unnamed.ask(signed_request(signer_key, "add", R"({"a":1,"b":2})")) == refusal_of("key"));
}

BOOST_AUTO_TEST_SUITE_END()
