// Middleware and traces within a session: where it runs, and what goes on when it does not.

#include "support/dialogue.hpp"
#include "support/text_search.hpp"

#include <partyline/rpc/tracing.hpp>

#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <future>
#include <thread>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace std::chrono_literals;
using boost::asio::awaitable;
using partyline::json_view;
using partyline::method_options;
using partyline::next_handler;
using partyline::request_context;
using partyline::request_result;
using partyline::rpc_error;

namespace {

const std::string sender = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

json::value trace_of(request_context& context)
{
    const partyline::trace_context& trace = context.trace();
    return json::array{json::value(trace.trace_id()), json::value(trace.parent_id()), trace.state()};
}

// Tells when it goes.
struct span {
    std::shared_ptr<int> gone;
    ~span()
    {
        if (gone)
            ++*gone;
    }
    explicit span(std::shared_ptr<int> g) : gone(std::move(g)) {}
    span(span&&) noexcept = default;
};

struct fixture : dialogue {
    asio::thread_pool pool{1};
    gate door{context};

    fixture()
    {
        methods.add("echo", [](json::value v) { return v; });
        methods.add("wait", [this]() -> awaitable<int> {
            co_await door.wait();
            co_return 1;
        });
        methods.add("trace", trace_of);
        methods.add("trace_by_pool", trace_of, method_options{.executor = pool.get_executor()});
        methods.add("named", [](int a) { return a; }, {"a"});
    }
    ~fixture()
    {
        destroy_session();
        settle();
        pool.join();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_middleware, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(one_that_throws_is_answered_as_a_handler_is)
{
    methods.around_requests([](request_context& c) {
        if (c.id().text() == "1")
            throw rpc_error(7, "no");
        if (c.id().text() == "2")
            throw std::runtime_error("secret");
    });
    send(request("1", "echo", "[]"));
    expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"no"}})");
    send(request("2", "wait"));
    expect(
        R"({"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Internal error","data":{"exception":"std::runtime_error"}}})");
    send(request("3", "echo", "[]"));
    expect(result("3", "[]"));
}

BOOST_AUTO_TEST_CASE(one_that_never_goes_on_holds_its_request_alone_and_ends_by_a_cancel)
{
    gate never{context};
    methods.around_requests([&](request_context& c, json_view, next_handler& next) -> partyline::task<request_result> {
        if (c.id().text() == "1")
            co_await never.wait();
        co_return co_await next();
    });
    send(request("1", "echo", "[1]"));
    send(request("2", "echo", "[2]"));
    expect(result("2", "[2]"));
    send(cancel("1"));
    expect(cancelled("1"));
}

BOOST_AUTO_TEST_CASE(a_handler_that_computes_may_ask_whether_it_was_cancelled)
{
    asio::thread_pool pool(1);
    std::promise<void> has_begun;
    methods.add("compute",
                [&](request_context& c) {
                    c.throw_if_cancelled();
                    has_begun.set_value();
                    for (;;)
                        c.throw_if_cancelled();
                },
                {.executor = pool.get_executor()});
    send(request("1", "compute"));
    settle();
    has_begun.get_future().wait();
    send(cancel("1"));
    run_until([&] { return heard().size() == 1; });
    expect(cancelled("1"));
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(a_deadline_bounds_it_as_well)
{
    gate never{context};
    methods.add("late", [] { return 1; }, {.deadline = 1ms});
    methods.around_requests([&](request_context& c) -> awaitable<void> {
        if (c.method() == "late")
            co_await never.wait();
    });
    send(request("1", "late"));
    BOOST_TEST(contains(receive(), "-32800"));
}

BOOST_AUTO_TEST_CASE(a_notification_passes_it)
{
    int passed = 0;
    methods.add_notification("note", [] {});
    methods.around_requests([&](request_context& c) { passed += c.id().empty() ? 1 : 0; });
    send(notification("note"));
    expect_silence();
    BOOST_TEST(passed == 1);
}

BOOST_AUTO_TEST_CASE(it_runs_where_the_handler_runs)
{
    const std::thread::id here = std::this_thread::get_id();
    std::atomic<int> elsewhere = 0;
    methods.around_requests([&](request_context&) { elsewhere += std::this_thread::get_id() != here ? 1 : 0; });
    send(request("1", "trace_by_pool"));
    receive();
    BOOST_TEST(elsewhere == 1);
}

BOOST_AUTO_TEST_CASE(what_is_attached_goes_when_the_handler_has_ended)
{
    const auto gone = std::make_shared<int>(0);
    methods.around_requests([&](request_context& c) { c.attach(span(gone)); });
    send(request("1", "echo", "[]"));
    expect(result("1", "[]"));
    BOOST_TEST(*gone == 1);
    send(request("2", "wait"));
    settle();
    BOOST_TEST(*gone == 1);
    door.open();
    expect(result("2", "1"));
    BOOST_TEST(*gone == 2);
    send(request("3", "trace_by_pool"));
    receive();
    run_until([&] { return *gone == 3; });
}

BOOST_AUTO_TEST_CASE(a_trace_goes_on_where_the_peer_has_one)
{
    methods.around_requests(partyline::trace_requests);
    const std::string params = R"({"_meta":{"traceparent":")" + sender + R"(","tracestate":"a=1"}})";
    for (const char* method : {"trace", "trace_by_pool"}) {
        send(request("1", method, params));
        expect(result("1", R"(["4bf92f3577b34da6a3ce929d0e0e4736","00f067aa0ba902b7","a=1"])"));
    }
}

// rule: mcp.meta.trace
BOOST_AUTO_TEST_CASE(what_is_no_trace_begins_a_new_one)
{
    methods.around_requests(partyline::trace_requests);
    const std::string long_text(2000, 'a');
    for (const std::string& params :
         {std::string("[]"), std::string(R"({"_meta":5})"), std::string(R"({"_meta":{"traceparent":7}})"),
          std::string(R"({"_meta":{"traceparent":"00-xy"}})"), R"({"_meta":{"traceparent":")" + long_text + "\"}}",
          std::string(R"({"_meta":{"traceparent":null}})")}) {
        send(request("1", "trace", params));
        const std::string reply = receive();
        BOOST_TEST(reply.size() == result("1", R"(["4bf92f3577b34da6a3ce929d0e0e4736","",""])").size(), reply);
        BOOST_TEST(!contains(reply, "4bf92f3577b34da6a3ce929d0e0e4736"));
    }
}

BOOST_AUTO_TEST_CASE(a_trace_is_there_without_any_middleware_and_stays_the_same)
{
    methods.add("twice", [](request_context& c) {
        const std::string first = c.trace().traceparent();
        return first == c.trace().traceparent();
    });
    send(request("1", "twice"));
    expect(result("1", "true"));
}

BOOST_AUTO_TEST_CASE(metadata_is_no_parameter)
{
    send(request("1", "named", R"({"a":1,"_meta":{"x":1}})"));
    expect(result("1", "1"));
    send(request("2", "named", R"({"a":1,"meta":{"x":1}})"));
    BOOST_TEST(contains(receive(), "-32602"));
}

BOOST_AUTO_TEST_SUITE_END()
