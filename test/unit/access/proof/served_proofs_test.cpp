// Signed calls over HTTP, WebSocket and a socket of lines, of callers with a token and of those without, whose signers
// they are for one call each; and the field of the proofs of arrays.

#include "gate_fixture.hpp"
#include "http_fixture.hpp"
#include "proof/proof_fixture.hpp"
#include "support/outcome.hpp"
#include "support/websocket_client.hpp"

#include <partyline/access/sign_calls.hpp>
#include <partyline/http.hpp>
#include <partyline/session/call_middleware.hpp>
#include <partyline/session/caller.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
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
const new_key crowded_key = make_key("crowded");
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
        options.session.on_served = [this](const partyline::served_event& event) {
            served_for.push_back(event.peer.principal);
        };
        partyline::method_table methods;
        methods.add("add", [](double a, double b) { return a + b; }, {"a", "b"});
        methods.add("who", [](partyline::request_context& request) {
            return request.peer().source + '/' + request.peer().principal;
        });
        methods.add("whose", [](partyline::request_context& request) { return request.peer().principal; });
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
               R"(],"rules":[{"methods":["add"],"proof":true},{"methods":["whose"],"principals":["agent-*"],"proof":true},)" +
               R"({"methods":["who"],"principals":["agent-7","anonymous"]}],)" +
               R"("limits":[{"principals":["agent-8"],"requests_per_second":0.0001,"burst":2}]})";
    }
    static std::string with_signer() { return text(R"(,{"principal":"agent-7","jwk":)" + signer_key.public_jwk + "}"); }
    void change(std::string_view to)
    {
        file.write(to);
        gate->reload();
    }
    std::string socket_path() const { return file.path() + ".socket"; }

    using asked = std::function<std::string(const std::string&)>;

    /// Calls `check` with a way to ask for each transport, where the peer is agent-7 by its token.
    void on_each_transport_of_agent(const std::function<void(const asked&)>& check)
    {
        http_client post = connect();
        BOOST_TEST_CONTEXT("POST")
        check([&](const std::string& m) { return post.ask("/rpc", m, bearer_field).body; });
        websocket_client client(context, port());
        client.open("/ws", bearer_field);
        BOOST_TEST_CONTEXT("WebSocket") check([&](const std::string& m) { return client.say(m), client.next_text(); });
    }
    /// The same, where it has shown nothing.
    void on_each_transport_of_nobody(const std::function<void(const asked&)>& check)
    {
        http_client post = connect();
        BOOST_TEST_CONTEXT("POST, nobody") check([&](const std::string& m) { return post.ask("/rpc", m).body; });
        websocket_client client(context, port());
        client.open("/ws");
        BOOST_TEST_CONTEXT("WebSocket, nobody")
        check([&](const std::string& m) { return client.say(m), client.next_text(); });
        line_client lines(*this, socket_path());
        BOOST_TEST_CONTEXT("socket, nobody") check([&](const std::string& m) { return lines.ask(m); });
    }
    void on_each_transport(const std::function<void(const asked&)>& check)
    {
        on_each_transport_of_agent(check);
        on_each_transport_of_nobody(check);
    }

    std::vector<std::string> served_for;
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
        BOOST_TEST(ask(signed_request(make_key("agent-7"), "add", params)) == refusal_of("signature"));
        BOOST_TEST(ask(signed_request(make_key("agent-9"), "add", params)) == refusal_of("key"));
    });
    on_each_transport_of_agent([](const auto& ask) {
        BOOST_TEST(ask(signed_request(foreign_key, "add", R"({"a":1,"b":2})")) == refusal_of("key"));
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

BOOST_AUTO_TEST_CASE(the_status_of_a_refusal_is_403)
{
    http_client post = connect();
    const http_response refused = post.ask("/rpc", request_of("add", "{}"), bearer_field);
    BOOST_TEST(refused.status == 403);
    BOOST_TEST(refused.field("www-authenticate") == "");
    const http_response batch = post.ask("/rpc", '[' + request_of("add", "{}") + ']', bearer_field);
    BOOST_TEST(batch.status == 200);
    BOOST_TEST(batch.body == '[' + refusal_of("missing") + ']');
}

const std::string nobody = R"({"jsonrpc":"2.0","id":1,"result":"/"})";

BOOST_AUTO_TEST_CASE(a_proof_names_the_caller_of_its_own_call_alone)
{
    change(with_signer().replace(with_signer().find(R"(,"limits")"), std::string::npos, "}"));
    on_each_transport_of_nobody([&](const asked& ask) {
        served_for.clear();
        BOOST_TEST(ask(request_of("who", "{}")) == nobody);
        for (const new_key* const by : {&signer_key, &foreign_key, &signer_key}) {
            const std::string name = by == &signer_key ? "agent-7" : "agent-8";
            BOOST_TEST(ask(signed_request(*by, "whose", "{}")) ==
                       R"({"jsonrpc":"2.0","id":1,"result":")" + name + "\"}");
            BOOST_TEST(ask(request_of("who", "{}")) == nobody);
            BOOST_TEST(ask(request_of("whose", "{}")) == refusal_of("missing"));
        }
        const std::vector<std::string> expected = {"", "agent-7", "", "", "agent-8", "", "", "agent-7", "", ""};
        BOOST_TEST(served_for == expected, boost::test_tools::per_element());
    });
}

BOOST_AUTO_TEST_CASE(a_caller_with_a_token_is_who_that_says)
{
    on_each_transport_of_agent([](const asked& ask) {
        BOOST_TEST(ask(request_of("who", "{}")) == R"({"jsonrpc":"2.0","id":1,"result":"token/agent-7"})");
        BOOST_TEST(ask(signed_request(signer_key, "whose", "{}")) == R"({"jsonrpc":"2.0","id":1,"result":"agent-7"})");
    });
}

BOOST_AUTO_TEST_CASE(the_quota_of_a_signer_counts_its_calls_over_all_transports)
{
    std::vector<std::string> found;
    std::vector<std::string> calls;
    on_each_transport_of_nobody([&](const asked& ask) {
        calls.push_back(signed_request(foreign_key, "add", R"({"a":1,"b":2})"));
        found.push_back(ask(calls.back()));
        BOOST_TEST(ask(signed_request(signer_key, "add", R"({"a":1,"b":2})")) == three);
    });
    BOOST_TEST(found[0] == three);
    BOOST_TEST(found[1] == three);
    BOOST_TEST(found[2].find(R"("code":-31002)") != std::string::npos);
    http_client post = connect();
    const http_response again = post.ask("/rpc", calls[2]); // its proof has not been used
    BOOST_TEST(again.status == 429);
    BOOST_TEST(!again.field("retry-after").empty());
    BOOST_TEST(post.ask("/rpc", calls[1]).body == refusal_of("replayed"));
    change(with_signer().replace(with_signer().find(R"(,"limits")"), std::string::npos, "}"));
    http_client later = connect();
    BOOST_TEST(later.ask("/rpc", calls[2]).body == three);
}

BOOST_AUTO_TEST_CASE(a_signer_whose_nonces_find_no_room_is_told_to_wait_and_others_are_served)
{
    change(text(R"(,{"principal":"crowded","jwk":)" + crowded_key.public_jwk + R"(},{"principal":"agent-7","jwk":)" +
                signer_key.public_jwk + '}'));
    const auto now = std::chrono::system_clock::now();
    for (std::size_t i = 0; i < seen_nonces::max_of_signer; ++i) {
        proof_nonce nonce = {};
        nonce[0] = static_cast<unsigned char>(i % 256);
        nonce[1] = static_cast<unsigned char>(i / 256);
        BOOST_TEST_REQUIRE(
            (seen_nonces::of_process().enter("crowded", nonce, now + 60s, now) == seen_nonces::result::is_new));
    }
    const std::string busy = R"({"jsonrpc":"2.0","id":1,"error":{"code":-31001,"message":"Server busy"}})";
    on_each_transport_of_nobody([&](const asked& ask) {
        BOOST_TEST(ask(signed_request(crowded_key, "add", R"({"a":1,"b":2})")) == busy);
        BOOST_TEST(ask(signed_request(signer_key, "add", R"({"a":1,"b":2})")) == three);
    });
    http_client post = connect();
    const http_response refused = post.ask("/rpc", signed_request(crowded_key, "add", R"({"a":1,"b":2})"));
    BOOST_TEST(refused.status == 503);
    BOOST_TEST(refused.field("retry-after") == "1");
    BOOST_TEST(refused.body == busy);
}

const std::string array = "[1,2]";

std::string field_of(std::string_view proof)
{
    return "Partyline-Proof: " + std::string(proof) + "\r\n";
}

BOOST_AUTO_TEST_CASE(the_proof_of_an_array_stands_in_a_field)
{
    for (const std::string_view who : {std::string_view(), bearer_field}) {
        http_client post = connect();
        const auto ask = [&](const std::string& params, const std::string& fields, std::string_view method = "add") {
            return post.ask("/rpc", request_of(method, params), std::string(who) + fields).body;
        };
        const std::string proof = proof_for(signer_key, "add", array);
        BOOST_TEST(ask(array, field_of(proof)) == three);
        BOOST_TEST(ask(array, field_of(proof)) == refusal_of("replayed"));
        BOOST_TEST(ask(array, {}) == refusal_of("missing")); // nothing is left of the last one
        BOOST_TEST(ask("[ 1.0, 2e0 ]", field_of(proof_for(signer_key, "add", array))) == three);
        BOOST_TEST(ask("[2,1]", field_of(proof_for(signer_key, "add", array))) == refusal_of("params"));
        BOOST_TEST(ask(array, field_of(proof_for(signer_key, "sub", array))) == refusal_of("method"));
        const std::string object = R"({"a":1,"b":2})";
        BOOST_TEST(ask(object, field_of(proof_for(signer_key, "add", object))) == refusal_of("missing"));
        const std::string whole = proof_fixture::signed_params(object, proof_for(signer_key, "add", object));
        BOOST_TEST(ask(whole, field_of("none")) == three);
        BOOST_TEST(ask("[]", field_of(proof_for(signer_key, "whose", "[]")), "whose") ==
                   R"({"jsonrpc":"2.0","id":1,"result":"agent-7"})");
    }
}

BOOST_AUTO_TEST_CASE(a_field_that_is_no_proof_is_refused)
{
    http_client post = connect();
    const auto ask = [&](const std::string& fields) { return post.ask("/rpc", request_of("add", array), fields).body; };
    const auto proof = [] { return proof_for(signer_key, "add", array); };
    const std::string one = proof();
    const std::string twice[] = {field_of(one) + field_of(one),
                                 field_of(one) + field_of(""),
                                 field_of("") + field_of(one),
                                 field_of(one) + "X: y\r\npartyline-PROOF: " + proof() + "\r\n",
                                 field_of(one + ", " + proof()),
                                 field_of(one + ","),
                                 field_of(one + std::string(8 << 10, 'A')),
                                 field_of(one + "\xe9"),
                                 field_of("\xe9" + one),
                                 field_of(one + "="),
                                 field_of('"' + one + '"'),
                                 field_of("Bearer " + one)};
    for (const std::string& fields : twice)
        BOOST_TEST(ask(fields) == refusal_of("signature"));
    BOOST_TEST(ask(field_of("")) == refusal_of("missing"));
    BOOST_TEST(ask(field_of(" \t ")) == refusal_of("missing"));
    BOOST_TEST(ask(field_of(one)) == three); // none of them has used it
    for (const char character : {'\0', '\x01', '\x7f', '\r'}) {
        http_client other = connect();
        BOOST_TEST(other.ask("/rpc", request_of("add", array), field_of(proof() + character + "x")).status == 400);
    }
}

BOOST_AUTO_TEST_CASE(a_field_is_for_its_own_request_of_a_pipeline_and_for_no_element_of_a_batch)
{
    const auto post_of = [](const std::string& body, const std::string& fields = {}) {
        return "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n" + fields + "\r\n" + body;
    };
    const std::string add = request_of("add", array);
    const auto field = [] { return field_of(proof_for(signer_key, "add", array)); };
    const std::string told = R"({"jsonrpc":"2.0","method":"add","params":[1,2]})";
    http_client post = connect();
    post.send(post_of(request_of("who", "[]"), field()) + post_of(add) + post_of(add, field()) + post_of(add) +
              post_of(told, field()) + post_of(add) + post_of("not json", field()) + post_of(add) +
              post_of('[' + add + ']', field()) + post_of(add) + post_of(request_of("none", array), field()) +
              post_of(add));
    const std::string missing = refusal_of("missing");
    const auto next = [&] { return post.response().body; };
    BOOST_TEST(next() == nobody);
    BOOST_TEST(next() == missing);
    BOOST_TEST(next() == three);
    BOOST_TEST(next() == missing);
    next();
    BOOST_TEST(next() == missing);
    next();
    BOOST_TEST(next() == missing);
    BOOST_TEST(next() == '[' + missing + ']');
    BOOST_TEST(next() == missing);
    next();
    BOOST_TEST(next() == missing);
}

BOOST_AUTO_TEST_CASE(the_field_of_a_handshake_is_for_no_call)
{
    websocket_client client(context, port());
    client.open("/ws", field_of(proof_for(signer_key, "add", array)));
    client.say(request_of("add", array));
    BOOST_TEST(client.next_text() == refusal_of("missing"));
}

// Those of clients of ours.
struct signing_clients : served_proofs {
    partyline::http::client_options signing()
    {
        http::client_options how;
        how.session.executor_is_serial = true;
        how.session.around_calls.add(sign_calls(signing_key(signer_key.private_jwk)));
        return how;
    }
    std::string told(partyline::test::outcome& of)
    {
        run_until([&] { return of.is_there(); });
        return of.text();
    }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(port()) + "/rpc"; }
};

BOOST_FIXTURE_TEST_CASE(a_client_over_http_signs_arrays_by_the_field, signing_clients)
{
    http::client client(context.get_executor(), url(), signing());
    for (const char* const params : {"[1,2]", R"({"a":1,"b":2})", "[1,2]"}) {
        partyline::test::outcome one;
        client.call("add", boost::json::parse(params))(one.handler());
        BOOST_TEST(told(one) == "result 3.0");
    }
    std::vector<partyline::test::outcome> many(20);
    for (partyline::test::outcome& one : many)
        client.call("add", boost::json::array{1, 2})(one.handler());
    for (partyline::test::outcome& one : many)
        BOOST_TEST(told(one) == "result 3.0");
    client.stop();
}

BOOST_FIXTURE_TEST_CASE(each_try_of_a_signed_array_has_a_proof_of_its_own, signing_clients)
{
    http::client_options how;
    how.session.executor_is_serial = true;
    how.session.around_calls.add(
        [](partyline::peer_call&, partyline::next_call& next) -> asio::awaitable<partyline::response> {
            partyline::response first = co_await next();
            if (!first)
                co_return first;
            co_return co_await next();
        });
    how.session.around_calls.add(sign_calls(signing_key(signer_key.private_jwk)));
    http::client client(context.get_executor(), url(), how);
    partyline::test::outcome one;
    client.call("add", boost::json::array{1, 2})(one.handler());
    BOOST_TEST(told(one) == "result 3.0");
    client.stop();
}

BOOST_FIXTURE_TEST_CASE(arrays_that_have_no_post_of_their_own_can_not_be_signed, signing_clients)
{
    http::client client(context.get_executor(), url(), signing());
    partyline::error_code notified;
    bool is_over = false;
    partyline::call_batch both;
    both.call("add", boost::json::array{1, 2});
    std::vector<partyline::response> replies;
    client.batch(std::move(both))([&](partyline::error_code, auto all) {
        replies = std::move(*all);
        is_over = true;
    });
    run_until([&] { return is_over; });
    BOOST_TEST_REQUIRE(replies.size() == 1u);
    BOOST_TEST((replies[0].code() == partyline::errc::bad_params));
    is_over = false;
    client.notify("add", boost::json::array{1, 2})([&](partyline::error_code failed, auto) {
        notified = failed;
        is_over = true;
    });
    run_until([&] { return is_over; });
    BOOST_TEST(bool(notified));
    client.stop();

    partyline::session socket =
        http::open_session(context.get_executor(), "ws://127.0.0.1:" + std::to_string(port()) + "/ws", signing());
    socket.async_run([](partyline::error_code) {});
    partyline::test::outcome one;
    socket.call("add", boost::json::array{1, 2})(one.handler());
    BOOST_TEST(told(one).starts_with("failed: "), one.text());
    partyline::test::outcome whole;
    socket.call("add", boost::json::object{{"a", 1}, {"b", 2}})(whole.handler());
    BOOST_TEST(told(whole) == "result 3.0");
    socket.stop();
}

BOOST_AUTO_TEST_CASE(a_signer_that_is_taken_away_signs_no_more_and_ends_no_conversation)
{
    line_client lines(*this, socket_path());
    BOOST_TEST(lines.ask(signed_request(signer_key, "add", R"({"a":1,"b":2})")) == three);
    change(text());
    BOOST_TEST(lines.ask(signed_request(signer_key, "add", R"({"a":1,"b":2})")) == refusal_of("key"));
    BOOST_TEST(lines.ask(request_of("who", "{}")) == nobody);
    BOOST_TEST(lines.ask(signed_request(foreign_key, "add", R"({"a":1,"b":2})")) == three);
    BOOST_TEST(!lines.has_ended());
}

BOOST_AUTO_TEST_SUITE_END()
