#include "language_server.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <optional>
#include <stdexcept>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::request_context;
using partyline::lsp::created_progress;
using partyline::lsp::work_details;
using partyline::lsp::work_done_progress;

namespace {

const char* const takes_progress = R"({"capabilities":{"window":{"workDoneProgress":true}}})";

std::string told(std::string_view token, std::string_view value)
{
    return notification("$/progress", "{\"token\":" + std::string(token) + ",\"value\":" + std::string(value) + '}');
}

struct fixture : language_server {
    std::optional<created_progress> made;

    fixture()
    {
        methods.add("work", [](request_context& served, json::value) -> asio::awaitable<int> {
            work_done_progress work(served);
            work_details details;
            details.percentage = 0;
            details.is_cancellable = true;
            co_await work.begin("Work", details);
            co_await work.report("half", 50);
            co_await work.end("done");
            co_return 1;
        });
        methods.add("parts", [](request_context& served, json::value) -> asio::awaitable<json::array> {
            json::array whole;
            for (int i = 0; i < 3; ++i) {
                if (served.takes_partial_results())
                    co_await served.partial_result(i);
                else
                    whole.push_back(i);
            }
            co_return whole;
        });
    }

    // What a task of the server's own does.
    void spawn(asio::awaitable<void> task)
    {
        asio::co_spawn(server().get_executor(), std::move(task), [](std::exception_ptr failed) {
            if (failed)
                std::rethrow_exception(failed);
        });
        settle();
    }
    asio::awaitable<void> create()
    {
        created_progress own = co_await created_progress::create(server());
        made.emplace(std::move(own));
    }
    asio::awaitable<void> tell_all()
    {
        co_await made->begin("Index");
        co_await made->report("half", 50);
        co_await made->end();
    }

    ~fixture()
    {
        made.reset();
        destroy_session();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(lsp_progress, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(work_on_a_request_is_told_under_its_token)
{
    initialize();
    for (const char* token : {"\"t\"", "7"}) {
        send(request("1", "work", "{\"workDoneToken\":" + std::string(token) + '}'));
        expect(told(token, R"({"kind":"begin","title":"Work","percentage":0,"cancellable":true})"));
        expect(told(token, R"({"kind":"report","message":"half","percentage":50})"));
        expect(told(token, R"({"kind":"end","message":"done"})"));
        expect(result("1", "1"));
    }
}

BOOST_AUTO_TEST_CASE(and_not_at_all_without_one)
{
    initialize();
    send(request("1", "work", "{}"));
    expect(result("1", "1"));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(results_come_in_parts_to_who_wants_them_so)
{
    initialize();
    send(request("1", "parts", R"({"partialResultToken":"p","workDoneToken":"w"})"));
    expect(told("\"p\"", "0"));
    expect(told("\"p\"", "1"));
    expect(told("\"p\"", "2"));
    expect(result("1", "[]"));
    send(request("2", "parts", R"({"workDoneToken":"w"})"));
    expect(result("2", "[0,1,2]"));
}

BOOST_AUTO_TEST_CASE(values_are_as_the_specification_has_them)
{
    using namespace partyline::lsp;
    BOOST_TEST(begin_value("T") == json::parse(R"({"kind":"begin","title":"T"})"));
    BOOST_TEST(report_value("") == json::parse(R"({"kind":"report"})"));
    BOOST_TEST(report_value("m", 100) == json::parse(R"({"kind":"report","message":"m","percentage":100})"));
    BOOST_TEST(end_value() == json::parse(R"({"kind":"end"})"));
    BOOST_CHECK_THROW(report_value("m", 101), std::invalid_argument);
    work_details much;
    much.percentage = 1000;
    BOOST_CHECK_THROW(begin_value("T", much), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(what_is_out_of_order_is_misuse)
{
    methods.add("misuse", [](request_context& served, json::value) {
        work_done_progress work(served);
        BOOST_CHECK_THROW(work.report("too early"), std::logic_error);
        BOOST_CHECK_THROW(work.end(), std::logic_error);
        work.begin("T");
        BOOST_CHECK_THROW(work.begin("again"), std::logic_error);
        work.end();
        BOOST_CHECK_THROW(work.report("too late"), std::logic_error);
        BOOST_CHECK_THROW(work.end(), std::logic_error);
        return 1;
    });
    initialize();
    send(request("1", "misuse", "{}"));
    expect(result("1", "1"));
}

BOOST_AUTO_TEST_CASE(work_of_the_servers_own_gets_a_token)
{
    initialize(takes_progress);
    spawn(create());
    const std::string ask =
        R"({"jsonrpc":"2.0","id":1,"method":"window/workDoneProgress/create","params":{"token":"partyline-1"}})";
    expect(ask);
    BOOST_TEST(!made);
    send(result("1", "null"));
    settle();
    BOOST_TEST_REQUIRE(made.has_value());
    BOOST_TEST(made->is_heard());
    spawn(tell_all());
    expect(told("\"partyline-1\"", R"({"kind":"begin","title":"Index"})"));
    expect(told("\"partyline-1\"", R"({"kind":"report","message":"half","percentage":50})"));
    expect(told("\"partyline-1\"", R"({"kind":"end"})"));
}

BOOST_AUTO_TEST_CASE(the_client_can_cancel_it)
{
    int cancelled = 0;
    initialize(takes_progress);
    spawn(create());
    receive();
    send(result("1", "null"));
    settle();
    made->on_cancel([&] { ++cancelled; });
    for (const char* token : {"\"partyline-2\"", "1", "null", "\"\""})
        send(notification("window/workDoneProgress/cancel", "{\"token\":" + std::string(token) + '}'));
    send(notification("window/workDoneProgress/cancel", "[]"));
    send(notification("window/workDoneProgress/cancel"));
    settle();
    BOOST_TEST(cancelled == 0);
    BOOST_TEST(!made->cancelled());
    for (int i = 0; i < 2; ++i)
        send(notification("window/workDoneProgress/cancel", R"({"token":"partyline-1"})"));
    settle();
    BOOST_TEST(cancelled == 1);
    BOOST_TEST(made->cancelled());
    made->on_cancel([&] { ++cancelled; }); // too late to wait for it
    BOOST_TEST(cancelled == 2);
}

BOOST_AUTO_TEST_CASE(the_token_may_come_in_any_spelling)
{
    initialize(takes_progress);
    spawn(create());
    receive();
    send(result("1", "null"));
    settle();
    send(notification("window/workDoneProgress/cancel", R"({"tok\u0065n":"partyline\u002d1"})"));
    settle();
    BOOST_TEST(made->cancelled());
}

BOOST_AUTO_TEST_CASE(what_is_called_then_may_throw)
{
    initialize(takes_progress);
    for (const bool is_standard : {true, false}) {
        spawn(create());
        const std::string id = is_standard ? "1" : "2";
        receive();
        send(result(id, "null"));
        settle();
        made->on_cancel([&] {
            if (is_standard)
                throw std::runtime_error("on purpose");
            throw 1;
        });
        send(notification("window/workDoneProgress/cancel", R"({"token":"partyline-)" + id + "\"}"));
        settle();
        BOOST_TEST(made->cancelled());
        made.reset();
    }
    const std::vector<std::string> expected{"on_cancel of created progress threw: on purpose",
                                            "on_cancel of created progress threw"};
    BOOST_TEST(logged == expected, boost::test_tools::per_element());
    send(request("1", "echo", "[]"));
    expect(result("1", "[]"));
}

BOOST_AUTO_TEST_CASE(what_nobody_may_cancel_any_more_is_let_go)
{
    initialize(takes_progress);
    spawn(create());
    receive();
    send(result("1", "null"));
    settle();
    auto held_by_it = std::make_shared<int>(1);
    const std::weak_ptr<int> seen = held_by_it;
    made->on_cancel([held_by_it = std::move(held_by_it)] {});
    BOOST_TEST(!seen.expired());
    made.reset();
    BOOST_TEST(seen.expired());
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_take_it_is_not_asked)
{
    initialize();
    spawn(create());
    BOOST_TEST_REQUIRE(made.has_value());
    BOOST_TEST(!made->is_heard());
    spawn(tell_all());
    expect_silence();
}

BOOST_AUTO_TEST_CASE(one_that_answers_with_an_error_hears_nothing)
{
    initialize(takes_progress);
    spawn(create());
    receive();
    send(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}})");
    settle();
    BOOST_TEST_REQUIRE(made.has_value());
    BOOST_TEST(!made->is_heard());
    spawn(tell_all());
    expect_silence();
}

BOOST_AUTO_TEST_CASE(nor_does_one_that_has_gone)
{
    initialize(takes_progress);
    spawn(create());
    receive();
    end_input();
    wait_end();
    settle();
    BOOST_TEST_REQUIRE(made.has_value());
    BOOST_TEST(!made->is_heard());
}

BOOST_AUTO_TEST_SUITE_END()
