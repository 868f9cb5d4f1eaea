// The other side is vscode_server.mjs, written with the JSON-RPC library that editors' language clients use.

#include "packages.hpp"
#include "support/child_process.hpp"
#include "support/foreign_client.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;

namespace {

const std::vector<std::string> command = {"node", program_here("vscode_server.mjs"), PARTYLINE_INTEROP_PACKAGES};

class vscode_client : public foreign_client {
public:
    explicit vscode_client(child_options how = {})
    {
        options.framing = framing_kind::content_length;
        for (const char* method : {"held", "gave up", "told"})
            listen_to(method);
        methods.add("double", [](int n) { return 2 * n; }, {"n"});
        methods.add("refuse", [](std::string why) { throw rpc_error(-7, why, json::value{{"by", "us"}}); }, {"why"});
        methods.add("think", [this](json::value) { return thought(); });
        start_server(command, std::move(how));
    }

    gate thinking{context};

    /// Starts a call that does not end by itself, and waits until the server has it.
    pending hold(const std::string& name, asio::cancellation_slot slot = {}, call_options how = {})
    {
        const std::size_t before = heard_of("held").size();
        pending call = start("hold", {{"name", name}}, std::move(how), slot);
        run_until([&] { return heard_of("held").size() > before; });
        return call;
    }

    void release(const std::string& name) { notify("release", {{"name", name}, {"result", "of " + name}}); }

    std::vector<json::value> given_up() const { return heard_of("gave up"); }

private:
    asio::awaitable<int> thought()
    {
        co_await thinking.wait();
        co_return 42;
    }
};

// 1 to 4 bytes each, so that the ends of reads and writes fall within characters.
std::string megabyte()
{
    std::string text;
    while (text.size() < 1'000'000)
        text += "a\u00df\u20ac\U0001f600\"\\\n\u2028";
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(vscode, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(its_methods_can_be_called_by_position_and_by_name)
{
    vscode_client client;
    BOOST_TEST(client.result_of(client.start("add", json::array{2, 40})) == 42);
    const json::value params{{"text", "a\u00df\u20ac\U0001f600"}, {"list", {1, 2.5, nullptr, true}}};
    BOOST_TEST(client.result_of(client.start("echo", params)) == params);
}

BOOST_AUTO_TEST_CASE(messages_of_a_megabyte_keep_every_character)
{
    vscode_client client;
    const json::value params{{"text", megabyte()}};
    std::vector<pending> calls;
    for (int i = 0; i < 4; ++i)
        calls.push_back(client.start("echo", params));
    for (const pending& call : calls)
        BOOST_TEST((client.result_of(call) == params));
}

BOOST_AUTO_TEST_CASE(a_thousand_calls_at_once_are_answered)
{
    vscode_client client;
    std::vector<pending> calls;
    for (int i = 0; i < 1000; ++i)
        calls.push_back(client.start("add", json::array{i, 1}));
    for (int i = 0; i < 1000; ++i)
        BOOST_TEST(client.result_of(calls[i]) == i + 1);
}

BOOST_AUTO_TEST_CASE(replies_come_when_they_are_ready)
{
    vscode_client client;
    std::vector<pending> calls;
    for (int i = 0; i < 20; ++i)
        calls.push_back(client.hold(std::to_string(i)));
    for (int i = 20; i-- > 0;) {
        BOOST_TEST(!calls[i]->has_value());
        client.release(std::to_string(i));
        BOOST_TEST(client.result_of(calls[i]) == json::value("of " + std::to_string(i)));
    }
}

BOOST_AUTO_TEST_CASE(its_errors_are_values)
{
    vscode_client client;
    BOOST_TEST(client.error_of(client.start("no such method")).code == -32601);
    const json::value wanted{{"code", -7}, {"message", "no"}, {"data", {1, 2}}};
    const error_object said = client.error_of(client.start("fail", wanted));
    BOOST_TEST(said.code == -7);
    BOOST_TEST(said.message == "no");
    BOOST_TEST_REQUIRE(said.data.has_value());
    BOOST_TEST(*said.data == (json::value{1, 2}));
}

BOOST_AUTO_TEST_CASE(it_hears_of_a_cancel_and_of_a_timeout)
{
    vscode_client client;
    asio::cancellation_signal cancel;
    const pending cancelled = client.hold("cancelled", cancel.slot());
    const pending other = client.hold("other");
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_TEST(client.wait(cancelled).failed == asio::error::operation_aborted);
    client.run_until([&] { return client.given_up().size() == 1; });
    BOOST_TEST(client.given_up()[0].at("name") == "cancelled");
    const pending overdue = client.hold("overdue", {}, call_options().timeout(std::chrono::milliseconds(300)));
    BOOST_TEST(client.wait(overdue).failed == make_error_code(errc::timeout));
    client.run_until([&] { return client.talk().counters().late_replies == 2; });
    BOOST_TEST(client.given_up().back().at("name") == "overdue");

    client.release("other");
    BOOST_TEST(client.result_of(other) == "of other");
    BOOST_TEST(client.talk().counters().stray_replies == 0);
}

BOOST_AUTO_TEST_CASE(progress_comes_in_order_before_the_reply)
{
    vscode_client client;
    std::vector<json::value> told;
    call_options how;
    how.on_progress([&](const json::value& value) { told.push_back(value); });
    BOOST_TEST(client.result_of(client.start("work", {{"steps", 5}}, how)).at("steps") == 5);
    BOOST_TEST(told.size() == 5);
    for (std::size_t i = 0; i < told.size(); ++i)
        BOOST_TEST(told[i].at("step") == i + 1);
}

// The same numbers are ids of calls in both directions, then.
BOOST_AUTO_TEST_CASE(fifty_calls_wait_for_fifty_of_its_own_while_others_pass)
{
    vscode_client client;
    std::vector<pending> calls;
    for (int i = 0; i < 50; ++i)
        calls.push_back(client.start("ask back", {{"method", "think"}, {"params", {{"number", i}}}}));
    client.run_until([&] { return client.thinking.arrivals == 50; });
    const json::value doubled{{"method", "double"}, {"params", {{"n", 21}}}};
    BOOST_TEST(client.result_of(client.start("ask back", doubled)) == 42);
    std::set<std::string> both;
    std::set_intersection(client.our_ids.begin(), client.our_ids.end(), client.its_ids.begin(), client.its_ids.end(),
                          std::inserter(both, both.end()));
    BOOST_TEST(both.size() > 1);

    client.thinking.open();
    for (const pending& call : calls)
        BOOST_TEST(client.result_of(call) == 42);
}

BOOST_AUTO_TEST_CASE(an_error_of_ours_reaches_it)
{
    vscode_client client;
    const json::value refused{{"method", "refuse"}, {"params", {{"why", "tired"}}}};
    const error_object back = client.error_of(client.start("ask back", refused));
    BOOST_TEST(back.code == -7);
    BOOST_TEST(back.message == "tired");
    BOOST_TEST_REQUIRE(back.data.has_value());
    BOOST_TEST(back.data->at("by") == "us");
}

// Ours is cancelled, it cancels its own, whose answer of ours it passes on, which nobody waits for any more.
BOOST_AUTO_TEST_CASE(a_cancel_comes_back_to_the_request_that_it_has_made)
{
    vscode_client client;
    asio::cancellation_signal cancel;
    const pending call = client.start("ask back", {{"method", "think"}, {"params", json::object()}}, {}, cancel.slot());
    client.run_until([&] { return client.thinking.arrivals == 1; });
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_TEST(client.wait(call).failed == asio::error::operation_aborted);
    client.run_until([&] { return client.talk().counters().late_replies == 1; });
}

BOOST_AUTO_TEST_CASE(its_notifications_come_in_order_before_the_reply_behind_them)
{
    vscode_client client;
    BOOST_TEST(client.result_of(client.start("tell", {{"count", 1000}})).is_null());
    const std::vector<json::value> told = client.heard_of("told");
    BOOST_TEST(told.size() == 1000);
    for (std::size_t i = 0; i < told.size(); ++i)
        BOOST_TEST(told[i].at("number") == i + 1);
}

BOOST_AUTO_TEST_CASE(it_ends_when_the_session_is_closed)
{
    child_options how;
    how.exit_wait = patience;
    vscode_client client(how);
    const pending last = client.start("echo", {{"last", "words"}});
    client.talk().close();
    BOOST_TEST(client.wait_end() == error_code());
    BOOST_TEST(client.result_of(last).at("last") == "words");
    BOOST_TEST_REQUIRE(client.server().exit().has_value());
    BOOST_TEST(client.server().exit()->is_success());
}

BOOST_AUTO_TEST_SUITE_END()
