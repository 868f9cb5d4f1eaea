// Calls as if the peer's methods were functions: typed results, exceptions, params of any types.
#include "support/dialogue.hpp"

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe/class.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::args;
using partyline::call_options;
using partyline::errc;
using partyline::named;
using partyline::session;

namespace {

struct place {
    std::string name;
    std::optional<int> floor;
    std::vector<int> doors;
};
BOOST_DESCRIBE_STRUCT(place, (), (name, floor, doors))

struct picky {};
[[maybe_unused]] boost::system::result<picky> tag_invoke(json::try_value_to_tag<picky>, const json::value&)
{
    throw std::runtime_error("too picky");
}

// What a call that throws came to.
template <class T>
std::string describe(const std::exception_ptr& thrown, const T& result)
{
    try {
        if (thrown)
            std::rethrow_exception(thrown);
        return json::serialize(json::value_from(result));
    } catch (const partyline::rpc_error& error) {
        return "error " + std::to_string(error.error().code) + ' ' + error.what();
    } catch (const boost::system::system_error& error) {
        return "failed: " + error.code().message() + " | " + error.what();
    }
}

struct fixture : dialogue {
    template <class T>
    auto note(std::string& into)
    {
        return [&into](partyline::error_code, partyline::call_result<T> result) {
            into = describe(result.exception(), result ? *result : T());
        };
    }
    void run_to_end(asio::awaitable<std::string> task, std::string& said)
    {
        asio::co_spawn(context, std::move(task), [&](std::exception_ptr thrown, std::string text) {
            said = thrown ? describe(thrown, text) : text;
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_typed_calls, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_result_says_what_is_wrong_in_one_text)
{
    using result = partyline::call_result<int>;
    BOOST_TEST(result(1).message().empty());
    BOOST_TEST(result(partyline::error_object{-32601, "Method not found", {}}).message() == "Method not found");
    BOOST_TEST(result(partyline::error_object{-32601, "", {}}).message() == "error -32601");
    BOOST_TEST(result(result::failure{errc::timeout, {}}).message() == partyline::error_code(errc::timeout).message());
    BOOST_TEST(result(result::failure{errc::peer_gone, "it said: no"}).message() ==
               "it said: no: " + partyline::error_code(errc::peer_gone).message());
    BOOST_TEST(!partyline::call_result<void>().message().empty());
}

// rule: jsonrpc.params.position, jsonrpc.params.name
BOOST_AUTO_TEST_CASE(params_are_made_by_position_or_by_name_of_what_results_are_made_of)
{
    const std::string big(3, 'x');
    const auto send = [this](const char* method, partyline::call_params params) {
        server().notify(method, std::move(params))([](auto...) {});
    };
    send("a", args(1, 2.5, big, "text", true, nullptr, std::vector<int>{1}));
    expect(notification("a", R"([1,2.5,"xxx","text",true,null,[1]])"));
    send("b", args());
    expect(notification("b", "[]"));
    send("c", args(place{"p", {}, {2}}, std::optional<int>()));
    expect(notification("c", R"([{"name":"p","doors":[2]},null])"));
    send("d", named("a", 1, "b", std::optional<int>(), "c", std::optional<int>(3), "a", "last"));
    expect(notification("d", R"({"a":"last","c":3})"));
    send("e", place{"q", 7, {}});
    expect(notification("e", R"({"name":"q","floor":7,"doors":[]})"));
}

BOOST_AUTO_TEST_CASE(a_result_is_given_as_it_is)
{
    std::string sum;
    server().call<int>("add", args(2, 40))(note<int>(sum));
    expect(request("1", "add", "[2,40]"));
    send(result("1", "42"));
    run_until([&] { return !sum.empty(); });
    BOOST_TEST(sum == "42");
}

BOOST_AUTO_TEST_CASE(the_peers_error_is_thrown)
{
    std::string sum;
    server().call<int>("add", args())(note<int>(sum));
    expect(request("1", "add", "[]"));
    send(R"({"jsonrpc":"2.0","id":1,"error":{"code":-5,"message":"no"}})");
    run_until([&] { return !sum.empty(); });
    BOOST_TEST(sum == "error -5 no");
}

BOOST_AUTO_TEST_CASE(a_local_failure_is_thrown_with_its_details)
{
    std::string wrong, late;
    server().call<std::vector<int>>("a", nullptr)(note<std::vector<int>>(wrong));
    expect(request("1", "a"));
    send(result("1", R"([1,"two"])"));
    server().call<int>("b", nullptr, call_options().timeout(5ms))(note<int>(late));
    run_until([&] { return !wrong.empty() && !late.empty(); });
    BOOST_TEST(wrong.find("at 1: expected integer, got string") != wrong.npos, wrong);
    BOOST_TEST(late.starts_with("failed: " + make_error_code(errc::timeout).message()), late);
}

BOOST_AUTO_TEST_CASE(who_does_not_want_a_result_gets_none_of_any_kind)
{
    int told = 0;
    server().call<void>("a")([&](auto, auto got) { told += got ? 1 : 100; });
    server().call<void>("b", nullptr)([&](partyline::error_code failed, partyline::call_result<void> got) {
        BOOST_CHECK_NO_THROW(got.value());
        told += failed || !got ? 100 : 1;
    });
    server().call<void>("c", nullptr)([&](partyline::error_code, partyline::call_result<void> got) {
        BOOST_CHECK_THROW(got.value(), partyline::rpc_error);
        told += got ? 100 : 1;
    });
    expect(request("1", "a"));
    expect(request("2", "b"));
    expect(request("3", "c"));
    send(result("1", R"({"any":"thing"})"));
    send(result("2", "null"));
    send(R"({"jsonrpc":"2.0","id":3,"error":{"code":-5,"message":"no"}})");
    run_until([&] { return told != 0 && server().counters().open_calls == 0; });
    settle();
    BOOST_TEST(told == 3);
}

BOOST_AUTO_TEST_CASE(a_future_has_the_result)
{
    std::future<partyline::call_result<int>> sum = server().call<int>("a", args(1))(asio::use_future);
    std::future<partyline::call_result<int>> error = server().call<int>("b", args(1))(asio::use_future);
    std::future<partyline::call_result<void>> nothing = server().call<void>("c")(asio::use_future);
    for (const char* line :
         {R"({"jsonrpc":"2.0","id":1,"method":"a","params":[1]})",
          R"({"jsonrpc":"2.0","id":2,"method":"b","params":[1]})", R"({"jsonrpc":"2.0","id":3,"method":"c"})"})
        expect(line);
    send(result("1", "5"));
    send(R"({"jsonrpc":"2.0","id":2,"error":{"code":-5,"message":"no"}})");
    send(result("3", "5"));
    run_until([&] { return nothing.wait_for(0s) == std::future_status::ready; });
    BOOST_TEST(*sum.get() == 5);
    BOOST_CHECK_THROW(error.get().value(), partyline::rpc_error);
    nothing.get().value();
}

BOOST_AUTO_TEST_CASE(params_and_options_come_in_any_order_or_not_at_all)
{
    const call_options patient = call_options().timeout(1min);
    std::string sum, other;
    int told = 0;
    server().call<int>("a", patient, args(7))(note<int>(sum));
    server().call<int>("b")(note<int>(other));
    server().call("c", patient)([&](auto, partyline::response) { ++told; });
    server().call("d")([&](auto, partyline::response) { ++told; });
    server().call<int>("e", patient)([&](auto, partyline::call_result<int>) { ++told; });
    server().call<int>("f")([&](auto, partyline::call_result<int>) { ++told; });
    server().notify("g")([&](auto, auto) { ++told; });
    expect(request("1", "a", "[7]"));
    for (const char* id : {"2", "3", "4", "5", "6"})
        expect(request(id, std::string(1, char('a' + id[0] - '1'))));
    expect(notification("g"));
    for (const char* id : {"1", "2", "3", "4", "5", "6"})
        send(result(id, "5"));
    run_until([&] { return told == 5 && !sum.empty() && !other.empty(); });
    BOOST_TEST(sum == "5");
    BOOST_TEST(other == "5");
}

BOOST_AUTO_TEST_CASE(the_options_of_a_call_without_params_hold)
{
    std::string late, also_late;
    server().call<int>("a", call_options().timeout(5ms))(note<int>(late));
    const auto told = [&](partyline::error_code failed, auto) { also_late = failed.message(); };
    server().call<int>("b", call_options().timeout(5ms))(told);
    run_until([&] { return !late.empty() && !also_late.empty(); });
    BOOST_TEST(late.starts_with("failed: " + make_error_code(errc::timeout).message()), late);
    BOOST_TEST(also_late == make_error_code(errc::timeout).message());
}

BOOST_AUTO_TEST_CASE(a_result_whose_conversion_throws_is_not_convertible)
{
    std::string wrong;
    server().call<picky>("a")([&](auto, partyline::call_result<picky> got) { wrong = describe(got.exception(), 0); });
    expect(request("1", "a"));
    send(result("1", "1"));
    run_until([&] { return !wrong.empty(); });
    BOOST_TEST(wrong.find("too picky") != wrong.npos, wrong);
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_throws_operation_aborted)
{
    asio::cancellation_signal cancel_it;
    std::string sum;
    server().call<int>("a")(asio::bind_cancellation_slot(cancel_it.slot(), note<int>(sum)));
    expect(request("1", "a"));
    cancel_it.emit(asio::cancellation_type::terminal);
    expect(cancel("1"));
    run_until([&] { return !sum.empty(); });
    BOOST_TEST(sum.starts_with("failed: Operation canceled"), sum);
}

// Everything that a coroutine writes in one expression, with temporaries that own memory: g++ 12 frees some kinds
// twice.
asio::awaitable<std::string> converse(session& peer)
{
    const std::string big(2000, 'b');
    const place here{big, 1, {1, 2}}; // braces within co_await don't compile there
    std::string all;
    all += std::to_string(co_await peer.call<int>("a", args(std::string(1000, 'a'), big)));
    all += co_await peer.call<std::string>("b", named("big", big, "place", here));
    co_await peer.call<void>("c", here, call_options().timeout(1min).on_progress(nullptr));
    all += (co_await peer.call<place>("d", args(here.doors))).name;
    all += std::to_string(co_await peer.call<int>("f", call_options().timeout(1min)));
    const auto [failed, sum] = co_await peer.call<int>("e", args(1))(asio::as_tuple(asio::deferred));
    all += std::to_string(*sum);
    co_return all;
}

BOOST_AUTO_TEST_CASE(a_coroutine_calls_the_peer_as_it_calls_a_function)
{
    std::string said;
    run_to_end(converse(server()), said);
    for (const char* text : {"1", R"("two")", R"({"x":1})", R"({"name":"three","doors":[]})", "5", "4"}) {
        const std::string line = receive();
        const json::value asked = json::parse(line);
        send(result(json::serialize(asked.at("id")), text));
    }
    run_until([&] { return !said.empty(); });
    BOOST_TEST(said == "1twothree54");
}

BOOST_AUTO_TEST_CASE(a_call_begins_when_it_is_started_and_not_before)
{
    std::string first, second;
    {
        auto never = server().call<int>("never");
        auto later = server().call<int>("later");
        auto told = server().notify("told");
        server().call<int>("now")(note<int>(first));
        expect(request("1", "now"));
        std::move(later)(note<int>(second));
        expect(request("2", "later"));
        std::move(told)(asio::detached);
        expect(notification("told"));
    }
    expect_silence();
    BOOST_TEST(server().counters().open_calls == 2u);
    send(result("1", "1"));
    send(result("2", "2"));
    run_until([&] { return !first.empty() && !second.empty(); });
    BOOST_TEST(first + second == "12");
}

BOOST_AUTO_TEST_CASE(without_a_type_the_result_is_its_text)
{
    std::string said;
    run_to_end(
        [](session& peer) -> asio::awaitable<std::string> {
            const partyline::json_text text = co_await peer.call("a");
            co_return std::string(text.text());
        }(server()),
        said);
    expect(request("1", "a"));
    send(result("1", "1.50"));
    run_until([&] { return !said.empty(); });
    BOOST_TEST(said == "1.50");
}

BOOST_AUTO_TEST_CASE(a_notification_that_is_not_sent_throws_what_failed)
{
    std::string said;
    run_to_end(
        [](session& peer) -> asio::awaitable<std::string> {
            co_await peer.notify("fine", args(1));
            co_await peer.notify("wrong", json::value(1));
            co_return "sent";
        }(server()),
        said);
    expect(notification("fine", "[1]"));
    run_until([&] { return !said.empty(); });
    BOOST_TEST(said.starts_with("failed: " + make_error_code(errc::bad_params).message()), said);
}

BOOST_AUTO_TEST_CASE(calling_by_what_was_moved_from_is_misuse)
{
    session kept = std::move(server());
    BOOST_CHECK_THROW(static_cast<void>(server().call("a")), std::logic_error);
    BOOST_CHECK_THROW(static_cast<void>(server().notify("a")), std::logic_error);
    BOOST_CHECK_THROW(static_cast<void>(server().batch({})), std::logic_error);
    server() = std::move(kept);
    server().notify("a")(asio::detached);
    expect(notification("a"));
}

// What is awaited, in each kind of coroutine, and by a handler that has its memory elsewhere.
asio::awaitable<void> await_some(session& peer)
{
    co_await peer.notify("n");
    co_await peer.batch(partyline::call_batch().call("a").call("b"));
}
partyline::task<void> task_some(session& peer)
{
    co_await peer.notify("n");
    co_await peer.batch(partyline::call_batch().call("a").call("b"));
}

BOOST_AUTO_TEST_CASE(operations_go_with_their_io_context_at_every_step)
{
    for (int steps = 0; steps < 30; ++steps) {
        asio::io_context own(1);
        auto [ours, theirs] = partyline::memory_stream::make_pair(own.get_executor());
        session peer(std::move(ours));
        peer.async_run([](auto) {});
        asio::co_spawn(own, await_some(peer), asio::detached);
        partyline::co_spawn(own.get_executor(), task_some(peer), asio::detached);
        using handler = asio::any_completion_handler<void(partyline::error_code, partyline::call_result<int>)>;
        peer.call<int>("c")(handler(asio::bind_allocator(std::allocator<char>(), [](auto, auto) {})));
        peer.notify("n")(asio::bind_allocator(std::allocator<char>(), [](auto, auto) {}));
        for (int i = 0; i < steps; ++i)
            own.poll_one();
    }
}

BOOST_AUTO_TEST_SUITE_END()
