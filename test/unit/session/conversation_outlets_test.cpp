// One conversation over several connections: whole messages are handed in by an outlet, and all that belongs to them
// goes out there.

#include "support/dialogue.hpp"
#include "support/outlet_driver.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::errc;
using partyline::error_code;
using partyline::message_type;
using partyline::method_options;
using partyline::outlet_number;
using partyline::request_context;
using lines = std::vector<std::string>;

namespace partyline {

std::ostream& operator<<(std::ostream& out, message_type type)
{
    constexpr const char* names[] = {"request", "notification", "reply", "batch", "bad"};
    return out << names[static_cast<int>(type)];
}

} // namespace partyline

namespace {

struct fixture : outlet_driver {
    gate slow{context};

    fixture()
    {
        methods.add("echo", [](json::value v) { return v; });
        methods.add("wait", [this](request_context& c) -> asio::awaitable<int> {
            c.progress(1);
            co_await slow.wait();
            c.progress(2);
            co_await c.notify("told");
            co_return 1;
        });
        methods.add("late", [this](request_context&) -> asio::awaitable<int> {
            co_await slow.wait();
            co_return 1;
        });
        methods.add("ask", [](request_context& c) -> asio::awaitable<int> {
            co_return (co_await c.call<int>("question")(asio::deferred)).value();
        });
        methods.add("long late", [this](request_context&, int bytes) -> asio::awaitable<std::string> {
            co_await slow.wait();
            co_return std::string(static_cast<std::size_t>(bytes), 'x');
        });
        methods.add("long", [](int bytes) { return std::string(static_cast<std::size_t>(bytes), 'x'); });
    }

    /// Until no reply more finds room there; the ids of these requests begin with that one.
    static void fill(test_outlet& at, int first_id)
    {
        for (int id = first_id; !at.out().is_full(); ++id)
            at.push(request(std::to_string(id), "long", "[5000]"));
    }

    static partyline::sender_facts sent(std::string tenant)
    {
        const std::size_t bytes = tenant.size();
        return {{}, std::make_shared<const partyline::sent_fields>(1, partyline::sent_field{"tenant", tenant}), bytes};
    }

    void check(test_outlet& at, const lines& expected)
    {
        BOOST_TEST(at.take_lines() == expected, boost::test_tools::per_element());
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_outlets, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(each_answer_goes_where_its_request_came_in)
{
    test_outlet& a = open();
    test_outlet& b = open();
    test_outlet& c = open();
    a.push(request("1", "wait"));
    b.push(request("2", "echo", "[2]"));
    c.push(request("3", "gone"));
    say_by_stream(request("4", "echo", "[4]"));
    settle();
    check(b, {result("2", "[2]")});
    check(
        c,
        {R"({"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found","data":{"method":"gone"}}})"});
    BOOST_TEST(take_stream_lines() == (lines{result("4", "[4]")}), boost::test_tools::per_element());
    slow.open();
    settle();
    check(a, {progress("1", "1"), progress("1", "2"), notification("told"), result("1", "1")});
    BOOST_TEST(a.answers == (lines{"1 wait result"}), boost::test_tools::per_element());
    BOOST_TEST(a.was_served.front());
    BOOST_TEST(c.answers == (lines{"3 gone error -32601"}), boost::test_tools::per_element());
    BOOST_TEST(!c.was_served.front());
    check(b, {});
    BOOST_TEST(take_stream_lines().empty());
}

BOOST_AUTO_TEST_CASE(each_request_has_the_fields_that_came_with_it_also_after_it_has_waited)
{
    lines seen;
    method_options one_by_one;
    one_by_one.max_concurrent = 1;
    methods.add(
        "tenant",
        [&](request_context& c) -> asio::awaitable<void> {
            co_await slow.wait();
            seen.emplace_back(c.http_field("Tenant").value_or("none"));
        },
        std::move(one_by_one));
    methods.add("plain", [&](request_context& c) { seen.emplace_back(c.http_field("TENANT").value_or("none")); });
    test_outlet& a = open();
    for (int id = 1; id <= 3; ++id) { // two of them wait
        a.out().set_sender(sent("tenant " + std::to_string(id)));
        a.push(request(std::to_string(id), "tenant"));
    }
    a.out().set_sender({});
    a.push(request("4", "tenant"));
    a.push(request("5", "plain"));
    settle();
    BOOST_TEST(seen == lines{"none"}, boost::test_tools::per_element());
    slow.open();
    settle();
    BOOST_TEST(seen == (lines{"none", "tenant 1", "tenant 2", "tenant 3", "none"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(fields_count_as_bytes_of_their_message)
{
    options.bounds.waiting_bytes = 1000;
    method_options one_by_one;
    one_by_one.max_concurrent = 1;
    methods.add("one", [&](request_context&) -> asio::awaitable<void> { co_await slow.wait(); }, std::move(one_by_one));
    test_outlet& a = open();
    test_outlet& b = open();
    a.push(request("1", "one"));
    b.out().set_sender(sent(std::string(1000, 'x')));
    b.push(request("2", "one"));
    b.out().set_sender({});
    b.push(request("3", "one"));
    settle();
    const lines told = b.take_lines();
    BOOST_TEST_REQUIRE(told.size() == 1u);
    BOOST_TEST(told.front().find(R"("id":2,"error":{"code":-31001)") != std::string::npos, told.front());
    slow.open();
    settle();
    check(b, {result("3", "null")});
}

BOOST_AUTO_TEST_CASE(what_a_handler_asks_goes_there_too_and_is_answered_from_anywhere)
{
    test_outlet& a = open();
    test_outlet& b = open();
    a.push(request("1", "ask"));
    settle();
    check(a, {request("1", "question")});
    BOOST_TEST(!a.out().is_idle());
    b.push(result("1", "42"));
    settle();
    check(a, {result("1", "42")});
    BOOST_TEST(b.taken == std::vector{message_type::reply}, boost::test_tools::per_element());
    BOOST_TEST(a.out().is_idle());
}

BOOST_AUTO_TEST_CASE(errors_without_an_id_go_where_their_message_came_from)
{
    test_outlet& a = open();
    test_outlet& b = open();
    b.push("rubbish");
    b.push("[]");
    settle();
    const lines got = b.take_lines();
    BOOST_REQUIRE(got.size() == 2u);
    BOOST_TEST(got[0].find("-32700") != std::string::npos);
    BOOST_TEST(got[1].find("-32600") != std::string::npos);
    BOOST_TEST(b.answers == (lines{"  error -32700", "  error -32600"}), boost::test_tools::per_element());
    check(a, {});
}

BOOST_AUTO_TEST_CASE(a_batch_is_answered_as_one_where_it_came_in)
{
    test_outlet& a = open();
    test_outlet& b = open();
    a.push('[' + request("1", "wait", "{\"workDoneToken\":7}") + ',' + request("2", "echo", "[2]") + ']');
    b.push('[' + notification("echo") + ']');
    settle();
    check(a, {progress("7", "1")});
    BOOST_TEST(!a.out().is_idle());
    BOOST_TEST(b.out().is_idle());
    BOOST_TEST(b.idle != 0);
    slow.open();
    settle();
    check(a, {progress("7", "2"), notification("told"), '[' + result("2", "[2]") + ',' + result("1", "1") + ']'});
    BOOST_TEST(a.taken == std::vector{message_type::batch}, boost::test_tools::per_element());
    BOOST_TEST(a.out().is_idle());
}

BOOST_AUTO_TEST_CASE(ids_are_those_of_the_conversation)
{
    test_outlet& a = open();
    test_outlet& b = open();
    a.push(request("1", "wait"));
    b.push(request("1", "echo"));
    b.push(cancel("1"));
    settle();
    const lines got = b.take_lines();
    BOOST_REQUIRE(got.size() == 1u);
    BOOST_TEST(got[0].find("in flight") != std::string::npos);
    check(a, {progress("1", "1"), cancelled("1")});
}

BOOST_AUTO_TEST_CASE(a_slow_one_does_not_stop_the_others)
{
    options.bounds.outbox_hard_bytes = 40'000; // of each outlet: 10'000
    options.bounds.outbox_soft_bytes = 4'000;
    test_outlet& a = open();
    test_outlet& b = open();
    a.stop_reading();
    for (int i = 1; i <= 5; ++i)
        a.push(request(std::to_string(i), "long", "[5000]"));
    settle();
    BOOST_TEST(a.out().is_full());
    BOOST_TEST(a.push(request("6", "echo")) == error_code(errc::overloaded));
    for (int i = 10; i != 30; ++i) {
        b.push(request(std::to_string(i), "long", "[5000]"));
        settle();
        BOOST_TEST(b.take_lines().size() == 1u);
    }
    say_by_stream(request("40", "echo", "[1]"));
    BOOST_TEST(take_stream_lines() == (lines{result("40", "[1]")}), boost::test_tools::per_element());
    check(a, {});
    a.resume_reading();
    settle();
    BOOST_TEST(a.take_lines().size() == 2u); // those that it was let hand in
    BOOST_TEST(!a.push(request("6", "echo", "[6]")));
    settle();
    check(a, {result("6", "[6]")});
}

BOOST_AUTO_TEST_CASE(replies_that_find_no_room_wait_in_their_own_outlet)
{
    options.bounds.outbox_hard_bytes = 40'000;
    test_outlet& a = open();
    test_outlet& b = open();
    for (int i = 1; i <= 3; ++i)
        a.push(request(std::to_string(i), "late"));
    a.stop_reading();
    fill(a, 4);
    slow.open();
    settle();
    BOOST_TEST(a.out().has_kept());
    BOOST_TEST(in_flight() == 3u);
    b.push(request("99", "echo", "[]"));
    settle();
    check(b, {result("99", "[]")});
    a.resume_reading();
    settle();
    BOOST_TEST(in_flight() == 0u);
    BOOST_TEST(!a.out().has_kept());
    const lines got = a.take_lines();
    for (const char* id : {"1", "2", "3"})
        BOOST_TEST(std::count(got.begin(), got.end(), result(id, "1")) == 1, id);
}

BOOST_AUTO_TEST_CASE(when_the_peer_has_gone_replies_that_find_no_room_keep_nobody)
{
    options.bounds.outbox_hard_bytes = 40'000;
    test_outlet& a = open();
    a.push(request("1", "late"));
    a.stop_reading();
    fill(a, 2);
    slow.open();
    settle();
    BOOST_TEST(a.out().has_kept());
    run_on(context, [this] { served().end_of_input({errc::peer_gone, {}, false, true}); });
    settle();
    BOOST_TEST(has_ended());
}

BOOST_AUTO_TEST_CASE(the_first_reply_that_waits_for_room_may_be_of_any_length_and_the_others_share_the_cap)
{
    options.bounds.outbox_hard_bytes = 40'000; // of each outlet: 10'000
    test_outlet& a = open();
    a.push(request("1", "long late", "[20000]"));
    a.push(request("2", "long late", "[6000]"));
    a.stop_reading();
    fill(a, 3);
    slow.open();
    settle();
    a.resume_reading();
    settle();
    const lines got = a.take_lines();
    BOOST_TEST(std::count(got.begin(), got.end(), result("1", '"' + std::string(20'000, 'x') + '"')) == 1);
    const auto no_room = [](const std::string& line) {
        return line.find(R"("id":2,"error":{"code":-32603)") != line.npos && line.find(R"("limit":10000)") != line.npos;
    };
    BOOST_TEST(std::count_if(got.begin(), got.end(), no_room) == 1);
}

BOOST_AUTO_TEST_CASE(what_was_being_sent_counts_no_more_when_its_outlet_is_released)
{
    test_outlet& a = open();
    a.stop_reading();
    a.push(request("1", "late"));
    a.push(request("2", "long", "[5000]"));
    BOOST_TEST(!a.out().unsent().empty()); // under way
    a.release();
    settle();
    BOOST_TEST(in_flight() == 1u);
    BOOST_TEST(served().context().counters.outbox_bytes.get() == 0u);
}

BOOST_AUTO_TEST_CASE(a_reply_that_waits_for_room_keeps_the_methods_that_it_came_from)
{
    options.bounds.outbox_hard_bytes = 40'000;
    auto former = std::make_shared<partyline::method_table>();
    former->add("long", [](int bytes) { return std::string(static_cast<std::size_t>(bytes), 'x'); });
    former->add("late", [this](request_context&) -> asio::awaitable<int> {
        co_await slow.wait();
        co_return 1;
    });
    const std::weak_ptr<partyline::method_table> kept = former;
    served().use_methods(std::move(former));
    test_outlet& a = open();
    a.push(request("1", "late"));
    a.stop_reading();
    fill(a, 2);
    served().use_methods(std::make_shared<partyline::method_table>());
    slow.open();
    settle();
    run_on(context, [this] { served().drive(); });
    BOOST_TEST(a.out().has_kept());
    BOOST_TEST(!kept.expired());
    a.resume_reading();
    settle();
    BOOST_TEST(a.answers.back() == "1 late result");
    run_on(context, [this] { served().drive(); });
    BOOST_TEST(kept.expired());
}

BOOST_AUTO_TEST_CASE(after_a_stop_no_reply_waits_for_room)
{
    options.bounds.outbox_hard_bytes = 40'000;
    options.cancel_grace = std::chrono::hours(1);
    test_outlet& a = open();
    a.push(request("1", "late"));
    a.stop_reading();
    fill(a, 2);
    run_on(context, [this] { served().stop(errc::session_closed, {}); });
    settle();
    BOOST_TEST(has_ended());
}

BOOST_AUTO_TEST_CASE(results_of_a_batch_never_go_out_without_it)
{
    options.bounds.outbox_hard_bytes = 40'000;
    test_outlet& a = open();
    a.push('[' + request("1", "late") + ',' + request("2", "late") + ']');
    a.stop_reading();
    fill(a, 3);
    slow.open();
    settle();
    a.resume_reading();
    settle();
    BOOST_TEST(a.take_lines().back() == '[' + result("1", "1") + ',' + result("2", "1") + ']');
}

BOOST_AUTO_TEST_CASE(a_stream_that_is_full_keeps_nobody_elsewhere_from_starting)
{
    options.bounds.outbox_hard_bytes = 40'000;
    options.bounds.in_flight_requests = 1;
    test_outlet& a = open();
    stop_reading_stream();
    say_by_stream(request("1", "long", "[50000]"));
    a.push(request("2", "late"));
    a.push(request("3", "echo", "[3]"));
    settle();
    check(a, {});
    slow.open();
    settle();
    check(a, {result("2", "1"), result("3", "[3]")});
    resume_reading_stream();
    BOOST_TEST(take_stream_lines().size() == 1u);
}

BOOST_AUTO_TEST_CASE(more_requests_than_one_turn_may_start_all_start)
{
    constexpr std::size_t many = 3 * partyline::turn::max_suspended;
    test_outlet& a = open();
    std::string all = "[";
    for (std::size_t i = 0; i != many; ++i)
        all += (i == 0 ? "" : ",") + request(std::to_string(i), "late");
    a.push(all + ']');
    settle();
    BOOST_TEST(in_flight() == many);
    slow.open();
}

BOOST_AUTO_TEST_CASE(calls_that_wait_in_an_outlet_fail_when_that_is_released)
{
    options.bounds.outbox_soft_bytes = 4'000;
    test_outlet& a = open();
    a.stop_reading();
    a.push(request("1", "long", "[5000]"));
    a.push(request("2", "ask"));
    settle();
    BOOST_TEST(in_flight() == 1u);
    a.release();
    settle();
    BOOST_TEST(in_flight() == 0u);
}

BOOST_AUTO_TEST_CASE(calls_that_find_no_room_wait_in_their_own_outlet)
{
    options.bounds.outbox_soft_bytes = 4'000;
    test_outlet& a = open();
    test_outlet& b = open();
    a.stop_reading();
    a.push(request("1", "long", "[5000]"));
    a.push(request("2", "ask"));
    b.push(request("3", "ask"));
    settle();
    check(b, {request("2", "question")});
    check(a, {});
    a.resume_reading();
    settle();
    const lines got = a.take_lines();
    BOOST_REQUIRE(got.size() == 2u);
    BOOST_TEST(got[1] == request("1", "question"));
}

BOOST_AUTO_TEST_CASE(who_abandons_an_outlet_may_have_its_requests_cancelled_without_an_answer)
{
    test_outlet& a = open();
    test_outlet& b = open();
    a.push(request("1", "wait"));
    b.push(request("2", "wait"));
    settle();
    b.take_lines();
    a.abandon(true);
    b.push(request("1", "echo", "[1]")); // the id is free
    settle();
    check(b, {result("1", "[1]")});
    BOOST_TEST(in_flight() == 1u);
    slow.open();
    settle();
    check(b, {progress("2", "2"), notification("told"), result("2", "1")});
    BOOST_TEST(take_stream_lines().empty());
    BOOST_TEST(served().context().counters.cancelled.get() == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_left_of_its_batch_is_told_as_lost)
{
    test_outlet* leaving = nullptr;
    lines told;
    options.on_served = [&](const partyline::served_event& e) {
        const bool is_lost = e.disposition == partyline::request_disposition::lost;
        told.push_back(std::string(e.method) + (is_lost ? " lost " : " ") + std::string(e.id));
    };
    methods.add("leave", [&](std::string last) {
        leaving->abandon(true);
        return last;
    });
    leaving = &open();
    leaving->push('[' + request("1", "leave", R"(["words that are longer than a short string has room for"])") + ',' +
                  request("2", "echo") + ',' + request("3", "wait") + ']');
    settle();
    const lines expected = {"echo lost 2", "wait lost 3", "leave 1"};
    BOOST_TEST(told == expected, boost::test_tools::per_element());
    BOOST_TEST(in_flight() == 0u);
}

BOOST_AUTO_TEST_CASE(or_they_go_on_and_what_they_say_is_dropped)
{
    test_outlet& a = open();
    a.push(request("1", "wait"));
    settle();
    a.abandon(false);
    slow.open();
    settle();
    BOOST_TEST(in_flight() == 0u);
    BOOST_TEST(served().context().counters.cancelled.get() == 0u);
    BOOST_TEST(served().context().counters.outbox_bytes.get() == 0u);
    BOOST_TEST(take_stream_lines().empty());
}

BOOST_AUTO_TEST_CASE(an_abandoned_outlet_gives_up_what_waits_there)
{
    options.bounds.outbox_soft_bytes = 4'000;
    options.bounds.in_flight_requests = 2;
    test_outlet& a = open();
    test_outlet& b = open();
    a.stop_reading();
    a.push(request("1", "long", "[5000]"));
    a.push(request("2", "ask"));
    a.push(request("3", "wait"));
    a.push(request("4", "wait"));
    a.push(request("5", "echo"));
    settle();
    a.abandon(true);
    settle();
    BOOST_TEST(in_flight() == 0u);
    BOOST_TEST(served().context().counters.waiting.get() == 0u);
    BOOST_TEST(served().context().counters.open_calls.get() == 0u);
    b.push(request("5", "echo", "[5]"));
    settle();
    check(b, {result("5", "[5]")});
}

BOOST_AUTO_TEST_CASE(what_came_in_by_an_outlet_goes_on_when_that_was_released)
{
    const auto unread = [this] { return served().context().counters.outbox_bytes.get(); };
    for (int i = 0; i != 100; ++i) {
        test_outlet& a = open();
        a.stop_reading();
        a.push(request(std::to_string(i), "wait"));
        a.release();
    }
    BOOST_TEST(in_flight() == 100u);
    slow.open();
    settle();
    BOOST_TEST(in_flight() == 0u);
    run_on(context, [this] { served().drive(); });
    BOOST_TEST(unread() == 0u);
    BOOST_TEST(take_stream_lines().empty());
}

BOOST_AUTO_TEST_CASE(what_can_not_be_taken_is_said)
{
    options.bounds.message_bytes = 1000;
    test_outlet& a = open();
    BOOST_TEST(a.push(std::string(1001, ' ')) == error_code(errc::message_too_large));
    BOOST_TEST(!a.push(request("1", "wait")));
    run_on(context, [this] { served().stop(errc::session_closed, {}); });
    BOOST_TEST(a.push(request("2", "echo")) == error_code(errc::session_closed));
    settle();
    BOOST_TEST(has_ended());
}

// A driver that does something when it is told of something.
struct busy_driver final : partyline::outlet::user {
    explicit busy_driver(partyline::conversation& c) : served(c), out(&c.open_outlet(frames, *this)) {}

    void on_taken(const partyline::message&, const partyline::message_reader&) override { act(at_taken); }
    void flush() override { act(at_flush); }
    void on_answered(const partyline::reply_given& how) noexcept override
    {
        answered = std::string(how.id) + ' ' + std::string(how.method);
        act(at_answer);
    }
    void abandon()
    {
        if (partyline::outlet* const mine = std::exchange(out, nullptr)) {
            served.abandon(*mine, true);
            served.release(*mine);
        }
    }

    std::string answered; // the last one
    std::function<void()> at_taken;
    std::function<void()> at_flush;
    std::function<void()> at_answer;
    partyline::line_framing frames{partyline::limits()};
    partyline::conversation& served;
    partyline::outlet* out;

private:
    void act(const std::function<void()>& what)
    {
        if (what)
            what();
    }
};

BOOST_AUTO_TEST_CASE(an_outlet_may_be_abandoned_whatever_its_driver_is_being_told)
{
    for (std::function<void()> busy_driver::* when :
         {&busy_driver::at_taken, &busy_driver::at_flush, &busy_driver::at_answer}) {
        busy_driver a(served());
        test_outlet& b = open();
        a.*when = [&] { a.abandon(); };
        run_on(context, [&] { served().push(*a.out, '[' + request("1", "echo") + ',' + request("3", "late") + ']'); });
        b.push(request("2", "echo", "[2]"));
        settle();
        check(b, {result("2", "[2]")});
        BOOST_TEST(in_flight() == 0u);
        BOOST_TEST(!a.out);
        run_on(context, [this] { served().drive(); }); // it is gone
    }
}

BOOST_AUTO_TEST_CASE(what_was_handed_in_by_a_full_one_does_not_stand_before_the_others)
{
    options.bounds.outbox_hard_bytes = 40'000; // of each outlet: 10'000
    busy_driver a(served());                   // reads nothing
    test_outlet& b = open();
    a.at_taken = [&, is_first = true]() mutable {
        if (!std::exchange(is_first, false))
            return;
        // The turn goes on with these, when the reply to the first has made it full: it can't even say what it refuses.
        for (int i = 100; i != 150; ++i)
            served().push(*a.out, request(std::to_string(i), "gone"));
        served().push(*a.out, request("2", "echo", "[2]"));
        b.push(request("3", "echo", "[3]"));
    };
    run_on(context, [&] { served().push(*a.out, request("1", "long", "[20000]")); });
    settle();
    check(b, {result("3", "[3]")});
    BOOST_TEST(a.out->is_at_cap());
    BOOST_TEST(a.out->has_kept()); // that of the second
    run_on(context, [&] { a.abandon(); });
}

BOOST_AUTO_TEST_CASE(a_reply_without_room_knows_what_was_called)
{
    methods.set_fallback([](json::value v) { return v; });
    options.bounds.outbox_hard_bytes = 40'000;
    busy_driver a(served());
    std::string last;
    a.at_taken = [&, is_first = true]() mutable {
        if (std::exchange(is_first, false))
            served().push(*a.out, request("2", "whatever", "[2]"));
    };
    run_on(context, [&] { served().push(*a.out, request("1", "long", "[20000]")); });
    BOOST_TEST(a.out->has_kept());
    a.at_answer = [&] { last = a.answered; };
    a.out->sent(a.out->unsent().size());
    run_on(context, [this] { served().drive(); });
    BOOST_TEST(last == "2 whatever");
    run_on(context, [&] { a.abandon(); });
}

BOOST_AUTO_TEST_CASE(where_other_sessions_hold_all_that_is_shared_only_short_messages_are_taken)
{
    options.budget = std::make_shared<partyline::memory_budget>(std::size_t(1) << 20);
    test_outlet& a = open();
    options.budget->add(std::size_t(1) << 20);
    BOOST_TEST(a.push(request("1", "echo", '[' + std::string(100'000, ' ') + ']')) == error_code(errc::overloaded));
    BOOST_TEST(!a.push(request("2", "echo", "[2]")));
    settle();
    check(a, {result("2", "[2]")});
    options.budget->sub(std::size_t(1) << 20);
    BOOST_TEST(!a.push(request("1", "echo", '[' + std::string(100'000, ' ') + ']')));
    settle();
    check(a, {result("1", "[]")});
}

BOOST_AUTO_TEST_CASE(what_was_handed_in_and_not_taken_goes_with_the_session)
{
    options.on_overload = partyline::overload::pause;
    options.bounds.in_flight_requests = 1;
    options.bounds.waiting_requests = 1;
    test_outlet& a = open();
    for (const char* id : {"1", "2", "3"})
        a.push(request(id, "late"));
    settle();
    run_on(context, [this] { served().stop(errc::session_closed, {}); });
    settle();
    BOOST_TEST(has_ended());
}

BOOST_AUTO_TEST_CASE(an_outlet_may_be_abandoned_while_something_is_being_sent)
{
    options.bounds.outbox_hard_bytes = 40'000;
    options.bounds.outbox_soft_bytes = 4'000;
    test_outlet& a = open();
    a.stop_reading();
    a.push(request("1", "long", "[20000]"));
    settle();
    BOOST_TEST(a.out().unsent().size() > 10'000u); // under way
    a.abandon(false);
    test_outlet& b = open();
    b.stop_reading();
    b.push(request("2", "wait"));
    b.push(request("3", "long", "[20000]"));
    settle();
    BOOST_TEST(b.out().unsent().size() > 10'000u);
    slow.open(); // the handler tells something, and has no room
    settle();
    BOOST_TEST(in_flight() == 1u);
    b.abandon(false);
    settle();
    BOOST_TEST(in_flight() == 0u);
    run_on(context, [this] { served().close(); });
    settle();
    BOOST_TEST(has_ended());
}

BOOST_AUTO_TEST_CASE(a_driver_may_let_go_as_soon_as_it_knows_what_came)
{
    test_outlet& a = open();
    a.push(request("1", "ask"));
    settle();
    check(a, {request("1", "question")});
    busy_driver b(served());
    b.at_taken = [&] { served().release(*std::exchange(b.out, nullptr)); };
    run_on(context, [&] { served().push(*b.out, result("1", "42")); });
    settle();
    check(a, {result("1", "42")});
}

BOOST_AUTO_TEST_CASE(what_a_handler_asks_nobody_fails_at_once)
{
    std::string told;
    methods.add("ask later", [&](request_context& c) -> asio::awaitable<int> {
        co_await slow.wait();
        const auto reply = co_await c.call<int>("question", nullptr)(asio::as_tuple(asio::use_awaitable));
        told = std::get<0>(reply).message();
        co_return 1;
    });
    test_outlet& a = open();
    a.push(request("1", "ask later"));
    settle();
    a.release();
    slow.open();
    settle();
    BOOST_TEST(told == error_code(errc::peer_gone).message());
    BOOST_TEST(in_flight() == 0u);
}

BOOST_AUTO_TEST_CASE(messages_may_be_handed_in_from_within_a_flush)
{
    busy_driver a(served());
    int pushed = 0;
    a.at_flush = [&] {
        if (pushed != 5)
            served().push(*a.out, request(std::to_string(++pushed), "echo"));
    };
    run_on(context, [&] { served().push(*a.out, request("0", "echo")); });
    settle();
    BOOST_TEST(pushed == 5);
    std::string got;
    while (!a.out->empty()) {
        got += a.out->unsent();
        a.out->sent(a.out->unsent().size());
    }
    BOOST_TEST(std::count(got.begin(), got.end(), '\n') == 6);
    a.abandon();
    settle();
}

BOOST_AUTO_TEST_CASE(handlers_elsewhere_answer_there_too)
{
    asio::thread_pool pool(1);
    method_options elsewhere;
    elsewhere.executor = pool.get_executor();
    methods.add(
        "elsewhere",
        [](request_context& c) -> asio::awaitable<int> {
            c.progress(1);
            co_await c.notify("told");
            co_return 1;
        },
        elsewhere);
    test_outlet& a = open();
    test_outlet& b = open();
    a.push(request("1", "elsewhere"));
    b.push(request("2", "elsewhere"));
    lines got;
    while (got.size() < 3) {
        context.run_one_for(std::chrono::milliseconds(100));
        context.restart();
        for (std::string& line : a.take_lines())
            got.push_back(std::move(line));
    }
    BOOST_TEST(got == (lines{progress("1", "1"), notification("told"), result("1", "1")}),
               boost::test_tools::per_element());
    a.push(request("3", "elsewhere"));
    a.abandon(true);
    pool.join();
    settle();
    BOOST_TEST(in_flight() == 0u);
    BOOST_TEST(b.take_lines().size() == 3u);
}

// rule: security.memory.server
BOOST_AUTO_TEST_CASE(conversations_share_a_budget)
{
    options.budget = std::make_shared<partyline::memory_budget>(std::size_t(200'000));
    test_outlet& a = open();
    a.stop_reading();
    a.push(request("1", "long", "[150000]"));
    settle();
    BOOST_TEST(options.budget->used() > 150'000u);
    fixture other;
    other.options.budget = options.budget;
    test_outlet& b = other.open();
    b.push(request("1", "long", "[150000]"));
    other.settle();
    BOOST_TEST(b.answers == (lines{"1 long error -32603"}), boost::test_tools::per_element());
    a.resume_reading();
    BOOST_TEST(options.budget->used() == 0u);
    b.push(request("2", "long", "[150000]"));
    other.settle();
    BOOST_TEST(b.answers.back() == "2 long result");
}

BOOST_AUTO_TEST_CASE(the_hook_sees_by_which_outlet)
{
    std::vector<std::string> seen;
    options.on_message = [&](const partyline::message_event& e) {
        const char* const way = e.direction == partyline::message_direction::in ? "in " : "out ";
        seen.push_back(way + std::to_string(e.outlet) + ' ' + std::string(e.method));
        return std::optional<partyline::error_object>();
    };
    test_outlet& a = open();
    test_outlet& b = open();
    b.push(request("1", "ask"));
    settle();
    a.push(result("1", "1"));
    say_by_stream(request("2", "echo"));
    settle();
    BOOST_TEST(seen == (lines{"in 2 ask", "out 2 question", "in 1 question", "out 2 ask", "in 0 echo", "out 0 echo"}),
               boost::test_tools::per_element());
}

// As a connection does that takes its next request when it has written the answer to the one before, and closes then.
BOOST_AUTO_TEST_CASE(what_was_pushed_within_a_turn_is_served_before_the_end_of_input)
{
    test_outlet& one = open();
    one.on_idle = [&] {
        BOOST_TEST(!served().push(one.out(), request("2", "late")));
        served().end_of_input({errc::session_closed, {}, false});
    };
    one.push(request("1", "echo", R"(["x"])"));
    settle();
    BOOST_TEST(!has_ended());
    slow.open();
    settle();
    check(one, {result("1", R"(["x"])"), result("2", "1")});
    BOOST_TEST(has_ended());
}

BOOST_AUTO_TEST_SUITE_END()
