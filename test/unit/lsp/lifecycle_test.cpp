#include "language_server.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <stdexcept>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::errc;
using partyline::error_code;
using partyline::request_context;

BOOST_FIXTURE_TEST_SUITE(lsp_lifecycle, language_server, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(before_initialize_requests_are_refused_and_notifications_dropped)
{
    bool is_told = false;
    methods.add_notification("note", [&](json::value) { is_told = true; });
    add_initialize();
    send(notification("note"));
    send(request("1", "echo", "[]"));
    BOOST_TEST(receive_error("1") == -32002);
    send(request("2", "shutdown"));
    BOOST_TEST(receive_error("2") == -32002);
    send(request("3", "unknown"));
    BOOST_TEST(receive_error("3") == -32002);
    expect_silence();
    BOOST_TEST(!is_told);
    BOOST_TEST(server().counters().dropped == 1u);

    send(request("0", "initialize", "{}"));
    expect(result("0", "\"ready\""));
    send(notification("note"));
    send(request("1", "echo", "[]"));
    expect(result("1", "[]"));
    BOOST_TEST(is_told);
}

BOOST_AUTO_TEST_CASE(while_initialize_is_unanswered_nothing_else_is_served)
{
    bool is_told = false;
    methods.add_notification("note", [&](json::value) { is_told = true; });
    methods.add("initialize", [this](request_context&) -> asio::awaitable<int> {
        co_await held.wait();
        co_return 7;
    });
    send(request("0", "initialize", "{}"));
    send(notification("note"));
    send(request("1", "echo", "[]"));
    BOOST_TEST(receive_error("1") == -32002);
    send(request("2", "initialize", "{}"));
    BOOST_TEST(receive_error("2") == -32002);
    held.open();
    expect(result("0", "7"));
    BOOST_TEST(!is_told);
    send(request("3", "echo", "[]"));
    expect(result("3", "[]"));
}

BOOST_AUTO_TEST_CASE(initialize_comes_once_but_again_when_it_has_failed)
{
    int times = 0;
    methods.add("initialize", [&](json::value) {
        if (++times == 1)
            throw partyline::rpc_error(1, "not yet");
        return times;
    });
    send(request("1", "initialize", "{}"));
    BOOST_TEST(receive_error("1") == 1);
    send(request("2", "echo", "[]"));
    BOOST_TEST(receive_error("2") == -32002);
    send(request("3", "initialize", "{}"));
    expect(result("3", "2"));
    send(request("4", "initialize", "{}"));
    BOOST_TEST(receive_error("4") == -32600);
    send(request("5", "echo", "[]"));
    expect(result("5", "[]"));
}

BOOST_AUTO_TEST_CASE(initialize_with_a_member_that_means_nothing_is_told_which_and_may_come_again)
{
    const struct {
        const char* params;
        const char* data;
    } bad[] = {
        {R"({"capabilities":{"a":1e400}})",
         R"({"expected":"a finite number","got":"1e400","parameter":"capabilities"})"},
        {R"({"capabilities":[[],-1e309]})",
         R"({"expected":"a finite number","got":"-1e309","parameter":"capabilities"})"},
        {R"({"capabilities":"all"})", R"({"parameter":"capabilities","expected":"object","got":"string"})"},
        {R"({"capabilities":[1]})", R"({"parameter":"capabilities","expected":"object","got":"array"})"},
        {R"({"processId":1e999})", R"({"expected":"a finite number","got":"1e999","parameter":"processId"})"},
        {R"({"processId":"1"})", R"({"parameter":"processId","expected":"integer","got":"string"})"},
        {R"({"processId":1.5})", R"({"parameter":"processId","expected":"integer","got":"1.5"})"},
        {R"({"processId":1,"trace":1e400})", R"({"expected":"a finite number","got":"1e400","parameter":"trace"})"},
        {R"({"trace":{"value":"off"}})", R"({"parameter":"trace","expected":"string","got":"object"})"},
        {R"({"tr\u0061ce":false})", R"({"parameter":"trace","expected":"string","got":"boolean"})"},
    };
    add_initialize();
    for (const auto& [params, data] : bad) {
        send(request("1", "initialize", params));
        expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params","data":)" +
               std::string(data) + "}}");
        send(request("2", "echo", "[]"));
        BOOST_TEST(receive_error("2") == -32002);
    }
    BOOST_TEST(!partyline::lsp::client_info::of(server())->process_id());
    BOOST_TEST(logged.empty());
    send(request("3", "initialize", R"({"capabilities":null,"processId":null,"trace":null})"));
    expect(result("3", "\"ready\""));
    send(request("4", "echo", "[]"));
    expect(result("4", "[]"));
}

BOOST_AUTO_TEST_CASE(initialize_can_be_cancelled)
{
    methods.add("initialize", [this](request_context&) -> asio::awaitable<int> {
        co_await held.wait();
        co_return 1;
    });
    send(request("1", "initialize", "{}"));
    settle();
    send(cancel("1"));
    expect(cancelled("1"));
    send(request("2", "initialize", "{}"));
    held.open();
    expect(result("2", "1"));
}

BOOST_AUTO_TEST_CASE(without_a_method_for_it_there_is_no_beginning)
{
    send(request("1", "initialize", "{}"));
    BOOST_TEST(receive_error("1") == -32601);
    send(request("2", "echo", "[]"));
    BOOST_TEST(receive_error("2") == -32002);
}

BOOST_AUTO_TEST_CASE(shutdown_is_answered_null_and_exit_ends_well)
{
    initialize();
    send(request("1", "shutdown"));
    expect(result("1", "null"));
    send(request("2", "echo", "[]"));
    BOOST_TEST(receive_error("2") == -32600);
    send(request("3", "shutdown"));
    BOOST_TEST(receive_error("3") == -32600);
    BOOST_TEST(!has_ended());
    send(notification("exit"));
    send(request("4", "echo", "[]")); // nobody is there any more
    BOOST_TEST(wait_end() == error_code());
    BOOST_TEST(take_lines().empty());
    BOOST_TEST(is_closed());
}

BOOST_AUTO_TEST_CASE(a_method_may_serve_shutdown)
{
    methods.add("shutdown", [] { return "bye"; });
    initialize();
    send(request("1", "shutdown"));
    expect(result("1", "\"bye\""));
    send(request("2", "echo", "[]"));
    BOOST_TEST(receive_error("2") == -32600);
}

BOOST_AUTO_TEST_CASE(what_is_under_way_goes_on_after_shutdown)
{
    initialize();
    send(request("1", "wait"));
    send(request("2", "shutdown"));
    expect(result("2", "null"));
    held.open();
    expect(result("1", "1"));
}

BOOST_AUTO_TEST_CASE(and_can_be_cancelled)
{
    initialize();
    send(request("1", "wait"));
    send(request("2", "shutdown"));
    expect(result("2", "null"));
    send(cancel("1"));
    expect(cancelled("1"));
}

BOOST_AUTO_TEST_CASE(exit_without_shutdown_is_no_good_end)
{
    initialize();
    send(notification("exit"));
    BOOST_TEST((wait_end() == errc::exit_without_shutdown));
}

BOOST_AUTO_TEST_CASE(exit_may_come_first_of_all)
{
    send(notification("exit"));
    BOOST_TEST((wait_end() == errc::exit_without_shutdown));
}

BOOST_AUTO_TEST_CASE(exit_is_ahead_of_what_waits_and_cancels_what_runs)
{
    options.bounds.in_flight_requests = 1;
    initialize();
    send(request("1", "wait"));
    send(request("2", "wait"));
    send(request("3", "shutdown"));
    expect(result("3", "null"));
    send(notification("exit"));
    BOOST_TEST(wait_end() == error_code());
    const std::string reason = "the session is being stopped";
    expect_in_any_order({cancelled("1", reason), cancelled("2", reason)});
}

BOOST_AUTO_TEST_CASE(the_end_of_input_is_an_end_as_well)
{
    initialize();
    send(request("1", "wait"));
    end_input();
    settle();
    held.open();
    expect(result("1", "1"));
    BOOST_TEST(wait_end() == error_code());
}

BOOST_AUTO_TEST_CASE(there_are_no_batches)
{
    initialize();
    send('[' + request("1", "echo", "[]") + ']');
    BOOST_TEST(receive_error("null") == -32600);
    send("[]");
    BOOST_TEST(receive_error("null") == -32600);
}

BOOST_AUTO_TEST_CASE(not_from_our_side_either)
{
    initialize();
    partyline::call_batch batch;
    batch.call("a", nullptr);
    std::optional<error_code> failed;
    server().batch(std::move(batch))([&](error_code code, auto) { failed = code; });
    expect_silence();
    BOOST_TEST_REQUIRE(failed.has_value());
    BOOST_TEST((*failed == errc::bad_params));
}

BOOST_AUTO_TEST_CASE(ids_are_integers_and_strings)
{
    initialize();
    for (const char* id : {"null", "1.5", "1e3", "-0.0"}) {
        send(request(id, "echo", "[]"));
        BOOST_TEST(receive_error("null") == -32600, id);
    }
    for (const char* id : {"-1", "\"1.5\"", "\"\"", "2147483648"}) {
        send(request(id, "echo", "[]"));
        expect(result(id, "[]"));
    }
}

BOOST_AUTO_TEST_CASE(what_begins_with_a_dollar_is_optional)
{
    initialize();
    send(notification("$/unknown"));
    expect_silence();
    send(request("1", "$/unknown"));
    BOOST_TEST(receive_error("1") == -32601);
    send(request("2", "$/cancelRequest", R"({"id":1})"));
    BOOST_TEST(receive_error("2") == -32601);
}

BOOST_AUTO_TEST_CASE(a_second_use_of_an_id_changes_nothing)
{
    initialize();
    send(request("1", "wait"));
    settle();
    send(request("1", "shutdown"));
    BOOST_TEST(receive_error("null") == -32600);
    send(request("2", "echo", "[]"));
    expect(result("2", "[]"));
}

BOOST_AUTO_TEST_SUITE_END()
