#include "support/dialogue.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::errc;
using partyline::error_code;
using partyline::method_options;
using partyline::request_context;

namespace {

constexpr std::size_t soft = 50'000;
constexpr std::size_t hard = 200'000;
constexpr std::size_t full = 150'000;

std::string note(int index)
{
    return notification("note", '[' + std::to_string(index) + ']');
}

// A peer that does not read, and a session whose outbox is filled to where a test wants it.
struct fixture : dialogue {
    asio::thread_pool pool{1};
    gate held{context};
    int sent = 0;

    fixture()
    {
        options.bounds.outbox_soft_bytes = soft;
        options.bounds.outbox_hard_bytes = hard;
        methods.add("echo", [](json::value v) { return v; });
        methods.add("text", [](std::size_t size) { return std::string(size, 'x'); });
        methods.add("wait", [this]() -> asio::awaitable<int> {
            co_await held.wait();
            co_return 1;
        });
        methods.add("count", [](request_context& request, int to) -> asio::awaitable<int> {
            for (int i = 1; i <= to; ++i)
                co_await request.progress(i);
            co_return to;
        });
        methods.add("notes", [this](request_context& request, int count) { return send_notes(request, count); });
        methods.add(
            "notes elsewhere", [this](request_context& request, int count) { return send_notes(request, count); },
            method_options{.executor = pool.get_executor()});
    }
    ~fixture() { pool.join(); }

    asio::awaitable<int> send_notes(request_context& request, int count)
    {
        for (sent = 0; sent < count; ++sent) {
            json::array params{sent};
            co_await request.notify("note", std::move(params));
        }
        co_return count;
    }

    // Than the drain timeouts of these tests.
    void wait_longer_than_drain()
    {
        bool is_over = false;
        asio::steady_timer drain(context, std::chrono::milliseconds(20));
        drain.async_wait([&](boost::system::error_code) { is_over = true; });
        run_until([&] { return is_over; });
    }

    std::size_t unread() { return server().counters().outbox_bytes; }

    // To this many bytes, or a few more.
    void fill(std::size_t bytes)
    {
        stop_reading();
        while (unread() == 0) // the connection holds some
            add_text(10'000);
        if (unread() < bytes)
            add_text(bytes - unread());
        BOOST_REQUIRE(unread() >= bytes);
        BOOST_REQUIRE(unread() < bytes + 100);
    }
    void add_text(std::size_t bytes)
    {
        send(request("\"text\"", "text", '[' + std::to_string(bytes) + ']'));
        settle();
    }

    void say_more_than_the_connection_holds()
    {
        stop_reading();
        send(request("\"text\"", "text", "[1000000]"));
    }

    // The next line, but for the filling.
    std::string receive_short()
    {
        for (;;)
            if (const std::string line = receive(); line.size() < 5000)
                return line;
    }

    // All that it says in the end, but for the filling.
    std::vector<std::string> read_all()
    {
        resume_reading();
        end_input();
        run_until([this] { return is_closed(); });
        std::vector<std::string> lines = take_lines();
        std::erase_if(lines, [](const std::string& line) { return line.size() > 5000; });
        return lines;
    }
};

using strings = std::vector<std::string>;

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_output, fixture, *boost::unit_test::timeout(60))

// rule: mcp.progress.rate
BOOST_AUTO_TEST_CASE(above_the_soft_mark_only_the_newest_progress_is_kept)
{
    fill(soft);
    send(request("1", "count", "[100]"));
    send(request("2", "count", "[5]"));
    settle();
    BOOST_TEST(server().counters().coalesced_progress == 103u);
    const strings expected{progress("1", "100"), result("1", "100"), progress("2", "5"), result("2", "5")};
    BOOST_TEST(read_all() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(below_it_every_progress_is_sent)
{
    send(request("1", "count", "[3]"));
    expect(progress("1", "1"));
    expect(progress("1", "2"));
    expect(progress("1", "3"));
    expect(result("1", "3"));
    BOOST_TEST(server().counters().coalesced_progress == 0u);
}

BOOST_AUTO_TEST_CASE(the_begin_and_the_end_of_work_are_not_replaced)
{
    int sent_begin = 0;
    methods.add("work", [&](request_context& request) -> asio::awaitable<void> {
        const json::value begin{{"kind", "begin"}};
        const json::value report{{"kind", "report"}};
        const json::value end{{"kind", "end"}};
        co_await request.progress(begin);
        ++sent_begin;
        co_await request.progress(report);
        co_await request.progress(report);
        co_await request.progress(end);
    });
    fill(soft);
    send(request("1", "work"));
    settle();
    BOOST_TEST(sent_begin == 0); // suspended there
    const strings expected{progress("1", R"({"kind":"begin"})"), progress("1", R"({"kind":"report"})"),
                           progress("1", R"({"kind":"report"})"), progress("1", R"({"kind":"end"})"),
                           result("1", "null")};
    BOOST_TEST(read_all() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_handler_that_notifies_is_suspended_and_nothing_is_lost)
{
    fill(soft);
    send(request("1", "notes", "[3]"));
    send(request("2", "echo"));
    settle();
    BOOST_TEST(sent == 0);
    BOOST_TEST(unread() < soft + 200);
    strings expected{note(0), note(1), note(2), result("1", "3")};
    strings lines = read_all();
    BOOST_REQUIRE(lines.size() == 5u);
    BOOST_TEST(lines[0] == result("2", "null")); // replies pass
    lines.erase(lines.begin());
    BOOST_TEST(lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_that_runs_elsewhere_is_suspended_too)
{
    methods.add(
        "large elsewhere",
        [this](request_context& request, int count) -> asio::awaitable<int> {
            for (sent = 0; sent < count; ++sent) {
                json::array params{std::string(4000, 'x')};
                co_await request.notify("large", std::move(params));
            }
            co_return count;
        },
        method_options{.executor = pool.get_executor()});
    fill(soft);
    send(request("1", "large elsewhere", "[200]"));
    // What is on its way to the session is 64 KiB at most.
    send(request("2", "echo"));
    settle();
    resume_reading();
    for (int i = 0, notes = 0; i < 1000 && notes < 200; ++i)
        notes += receive().starts_with(R"({"jsonrpc":"2.0","method":"large")");
    expect(result("1", "200"));
    BOOST_TEST(server().counters().peak_outbox_bytes < soft + 80'000);
}

BOOST_AUTO_TEST_CASE(a_suspended_handler_can_be_cancelled)
{
    fill(soft);
    send(request("1", "notes", "[3]"));
    settle();
    send(cancel("1"));
    settle();
    BOOST_TEST(sent == 0);
    const strings expected{note(0), cancelled("1")}; // what it had said is not taken back
    BOOST_TEST(read_all() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(several_that_are_suspended_take_turns)
{
    fill(soft);
    for (const char* id : {"1", "2"})
        send(request(id, "notes", "[2]"));
    settle();
    const strings lines = read_all();
    BOOST_TEST(std::count(lines.begin(), lines.end(), note(0)) == 2);
    BOOST_TEST(std::count(lines.begin(), lines.end(), result("2", "2")) == 1);
    BOOST_TEST(lines[0] == note(0));
    BOOST_TEST(lines[1] == note(0));
}

BOOST_AUTO_TEST_CASE(a_plain_function_that_says_too_much_is_told)
{
    options.bounds.message_bytes = 300'000;
    methods.add("chatty", [](request_context& request) {
        int said = 0;
        try {
            for (;; ++said)
                request.notify("chat", json::array{std::string(100'000, 'x')});
        } catch (const boost::system::system_error& e) {
            BOOST_TEST(e.code() == make_error_code(errc::overloaded));
        }
        return said;
    });
    send(request("1", "chatty"));
    for (int i = 0; i < 3; ++i)
        BOOST_TEST(receive().starts_with(R"({"jsonrpc":"2.0","method":"chat")"));
    expect(result("1", "3"));
}

BOOST_AUTO_TEST_CASE(a_notification_over_the_outgoing_limit_is_refused)
{
    options.bounds.message_bytes = 200;
    methods.add("large", [](request_context& request) {
        BOOST_CHECK_THROW(request.notify("note", json::array{std::string(200, 'x')}), std::invalid_argument);
        BOOST_CHECK_THROW(request.progress(json::string(200, 'x')), std::invalid_argument);
    });
    send(request("1", "large"));
    expect(result("1", "null"));
}

BOOST_AUTO_TEST_CASE(kept_results_leave_when_there_is_room_and_then_others_start)
{
    fill(full - 9000);
    send(request("1", "wait"));
    send(request("2", "wait"));
    add_text(9000);
    send(request("3", "echo"));
    settle();
    BOOST_TEST(server().counters().waiting == 1u);
    held.open();
    settle();
    BOOST_TEST(server().counters().in_flight == 2u);
    const std::size_t before = unread();
    send(request("1", "echo")); // its id is still taken
    send(cancel("1"));          // too late
    send("garbage");
    settle();
    BOOST_TEST(unread() > before); // what the session answers itself has room
    const strings lines = read_all();
    BOOST_REQUIRE(lines.size() == 5u);
    BOOST_TEST(lines[0].find("a request with this id is in flight") != std::string::npos);
    BOOST_TEST(lines[1].find("-32700") != std::string::npos);
    const strings expected{result("1", "1"), result("2", "1"), result("3", "null")};
    BOOST_TEST(strings(lines.begin() + 2, lines.end()) == expected, boost::test_tools::per_element());
    BOOST_TEST(server().counters().in_flight == 0u);
}

BOOST_AUTO_TEST_CASE(at_the_hard_cap_the_reader_pauses_and_goes_on_later)
{
    fill(full + 100);
    std::size_t lines = 0;
    for (; lines < 2000; ++lines)
        send("garbage");
    settle();
    BOOST_TEST(server().counters().messages_in < 2000u);
    BOOST_TEST(unread() < hard + 200);
    const strings answers = read_all();
    BOOST_TEST(answers.size() == lines);
}

BOOST_AUTO_TEST_CASE(while_it_is_full_requests_wait_and_then_the_reader_pauses_instead_of_refusing)
{
    options.bounds.waiting_requests = 10;
    fill(full + 100);
    strings expected;
    for (int i = 0; i < 50; ++i) {
        send(request(std::to_string(i), "echo"));
        expected.push_back(result(std::to_string(i), "null"));
    }
    settle();
    BOOST_TEST(server().counters().waiting == 10u);
    BOOST_TEST(server().counters().busy == 0u);
    BOOST_TEST(read_all() == expected, boost::test_tools::per_element());
}

// What keeps its peer from reading may be that it does not read either.
BOOST_AUTO_TEST_CASE(one_that_has_called_refuses_instead)
{
    options.bounds.waiting_requests = 10;
    server().call("hello", nullptr)(asio::detached);
    receive();
    fill(full + 100);
    for (int i = 0; i < 50; ++i)
        send(request(std::to_string(i), "echo"));
    settle();
    BOOST_TEST(server().counters().waiting == 10u);
    BOOST_TEST(server().counters().busy == 40u);
    const strings lines = read_all();
    BOOST_TEST(lines.size() == 50u);
    BOOST_TEST(lines.back() == result("9", "null"));
}

BOOST_AUTO_TEST_CASE(a_result_that_would_take_more_than_the_cap_in_its_batch_becomes_an_error)
{
    send('[' + request("1", "wait") + ',' + request("2", "text", "[150000]") + ',' + request("3", "text", "[150000]") +
         ']');
    settle();
    BOOST_TEST(unread() > 150'000u);
    BOOST_TEST(unread() < 151'000u);
    held.open();
    const std::string batch = receive();
    BOOST_TEST(
        batch.find(R"({"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"Internal error","data":{"reason":)"
                   R"("too much waits for batches to be complete","limit":200000,"value":300)") != std::string::npos);
    BOOST_TEST(batch.size() < 151'000u);
    BOOST_TEST(unread() == 0u);
}

BOOST_AUTO_TEST_CASE(without_room_for_its_results_all_of_a_batch_is_refused)
{
    options.bounds.outbox_hard_bytes = 16'384;
    std::string elements;
    for (int i = 0; i < 300; ++i)
        elements += ",1"; // an error each
    send('[' + request("1", "wait") + elements + ']');
    send('[' + request("2", "echo") + ']');
    BOOST_TEST(receive().starts_with(
        R"([{"jsonrpc":"2.0","id":2,"error":{"code":-31001,"message":"Server busy","data":{"limit":16384,"value":)"));
    send('[' + notification("note") + ']');
    BOOST_TEST(receive().starts_with(R"([{"jsonrpc":"2.0","id":null,"error":{"code":-31001,"message":"Server busy")"));
    send(request("3", "echo")); // others go on
    expect(result("3", "null"));
    held.open();
    BOOST_TEST(receive().find(result("1", "1")) != std::string::npos);
    send('[' + request("2", "echo") + ']');
    expect('[' + result("2", "null") + ']');
}

BOOST_AUTO_TEST_CASE(what_answers_us_in_a_batch_that_is_refused_is_taken)
{
    options.bounds.outbox_hard_bytes = 16'384;
    std::string elements;
    for (int i = 0; i < 300; ++i)
        elements += ",1"; // an error each
    send('[' + request("\"a\"", "wait") + elements + ']');
    bool is_answered = false;
    server().call("question", nullptr)([&](error_code failed, partyline::response) { is_answered = !failed; });
    expect(request("1", "question"));
    send('[' + request("\"b\"", "echo") + ',' + result("1", "5") + ']');
    run_until([&] { return is_answered; });
    BOOST_TEST(server().counters().busy == 1u);
}

// Nothing else would wake it: the peer reads, and says nothing more.
BOOST_AUTO_TEST_CASE(a_reply_that_fills_the_outbox_and_goes_at_once_holds_nothing_up)
{
    options.bounds.outbox_soft_bytes = 1000;
    options.bounds.outbox_hard_bytes = 16'384;
    send(request("1", "text", "[14000]") + '\n' + request("2", "echo", "[2]"));
    BOOST_TEST(receive().size() > 14'000u);
    expect(result("2", "[2]"));
}

BOOST_AUTO_TEST_CASE(everybody_in_one_handler_who_waits_for_room_is_woken)
{
    int done = 0;
    methods.add("two voices", [&done](request_context& c) -> asio::awaitable<int> {
        const auto tell = [](request_context* to, int* count) -> asio::awaitable<void> {
            json::value nothing = nullptr;
            co_await to->notify("voice", std::move(nothing));
            ++*count;
        };
        asio::co_spawn(c.get_executor(), tell(&c, &done), asio::detached);
        asio::co_spawn(c.get_executor(), tell(&c, &done), asio::detached);
        json::value nothing = nullptr;
        co_await c.notify("voice", std::move(nothing));
        while (done != 2)
            co_await asio::post(c.get_executor(), asio::use_awaitable);
        co_return done;
    });
    fill(soft);
    send(request("\"x\"", "two voices"));
    settle();
    BOOST_TEST(done == 0);
    resume_reading();
    run_until([&] { return done == 2; });
}

BOOST_AUTO_TEST_CASE(after_the_end_of_input_kept_results_are_still_delivered)
{
    options.drain_timeout = std::chrono::milliseconds(1);
    send(request("1", "wait"));
    settle();
    fill(full + 100);
    held.open();
    end_input();
    settle();
    wait_longer_than_drain();
    BOOST_TEST(!has_ended());
    const strings expected{result("1", "1")};
    BOOST_TEST(read_all() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(while_the_peer_does_not_read_the_time_to_drain_does_not_run_out)
{
    options.drain_timeout = std::chrono::milliseconds(1);
    fill(full + 100);
    strings expected;
    for (int i = 0; i < 20; ++i) {
        send(request(std::to_string(i), "echo"));
        expected.push_back(result(std::to_string(i), "null"));
    }
    end_input();
    wait_longer_than_drain();
    BOOST_TEST(read_all() == expected, boost::test_tools::per_element());
    BOOST_TEST(!wait_end());
}

BOOST_AUTO_TEST_CASE(but_it_does_when_the_peer_has_caught_up)
{
    options.drain_timeout = std::chrono::milliseconds(1);
    send(request("1", "wait"));
    settle();
    fill(soft);
    end_input();
    wait_longer_than_drain();
    BOOST_TEST(!has_ended());
    resume_reading();
    BOOST_TEST(wait_end() == make_error_code(errc::drain_timeout));
}

BOOST_AUTO_TEST_CASE(a_stop_ends_it_all_the_same)
{
    options.cancel_grace = std::chrono::milliseconds(10);
    send(request("1", "wait"));
    settle();
    fill(full + 100);
    send(request("2", "notes", "[1]"));
    send(request("3", "echo"));
    settle();
    held.open();
    settle();
    server().stop();
    BOOST_TEST(wait_end() == boost::system::error_code(asio::error::operation_aborted));
    BOOST_TEST(logged.empty()); // nobody was given up
}

BOOST_AUTO_TEST_CASE(a_stop_ends_it_also_when_only_finished_replies_are_to_be_sent)
{
    options.cancel_grace = std::chrono::milliseconds(10);
    fill(soft);
    end_input();
    settle();
    BOOST_TEST(!has_ended());
    server().stop();
    BOOST_TEST(wait_end() == boost::system::error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(a_close_ends_when_its_time_is_over_whether_or_not_the_peer_reads)
{
    options.drain_timeout = std::chrono::milliseconds(10);
    options.cancel_grace = std::chrono::milliseconds(10);
    fill(soft + 100);
    server().close();
    BOOST_TEST(wait_end() == make_error_code(errc::drain_timeout));
}

BOOST_AUTO_TEST_CASE(a_close_cancels_handlers_whether_or_not_the_peer_reads)
{
    options.drain_timeout = std::chrono::milliseconds(10);
    options.cancel_grace = std::chrono::milliseconds(10);
    send(request("1", "wait"));
    settle();
    fill(soft + 100);
    server().close();
    BOOST_TEST(wait_end() == make_error_code(errc::drain_timeout));
}

BOOST_AUTO_TEST_CASE(a_close_ends_it_also_when_only_finished_replies_are_to_be_sent)
{
    options.drain_timeout = std::chrono::milliseconds(10);
    fill(soft);
    end_input();
    settle();
    BOOST_TEST(!has_ended());
    server().close();
    BOOST_TEST(wait_end() == make_error_code(errc::drain_timeout));
}

BOOST_AUTO_TEST_CASE(a_close_ends_it_also_when_handlers_wait_for_the_peer_to_read)
{
    options.drain_timeout = std::chrono::milliseconds(10);
    options.cancel_grace = std::chrono::milliseconds(10);
    send(request("1", "wait"));
    settle();
    fill(soft + 100);
    end_input();
    wait_longer_than_drain();
    BOOST_TEST(!has_ended());
    server().close();
    BOOST_TEST(wait_end() == make_error_code(errc::drain_timeout));
}

BOOST_AUTO_TEST_CASE(what_was_said_before_a_deadline_that_is_answered_is_sent)
{
    const auto tell = [](request_context& request) -> asio::awaitable<int> {
        asio::steady_timer never(request.get_executor(), asio::steady_timer::time_point::max());
        for (int i = 0; i != 3; ++i)
            request.notify("note", partyline::args(i));
        co_await never.async_wait(asio::use_awaitable);
        co_return 1;
    };
    const auto deadline = std::chrono::milliseconds(5);
    methods.add("tell", tell, {.deadline = deadline, .answers_at_deadline = true});
    methods.add("tell elsewhere", tell,
                {.executor = pool.get_executor(), .deadline = deadline, .answers_at_deadline = true});
    std::uint64_t asked = 0;
    for (const char* method : {"tell", "tell elsewhere"}) {
        strings said;
        do { // a machine at its limits may start the handler when its deadline is over, and nothing is said
            fill(soft + 100);
            send(request("1", method));
            ++asked;
            run_until([&] { return server().counters().cancelled == asked; });
            resume_reading();
            said.clear();
            do
                said.push_back(receive_short());
            while (said.back() != cancelled("1", "deadline exceeded"));
            for (std::size_t i = 0; i + 1 != said.size(); ++i)
                BOOST_TEST(said[i] == note(static_cast<int>(i)));
        } while (said.size() != 4);
    }
}

BOOST_AUTO_TEST_CASE(a_peer_that_stops_reading_is_left_when_told_so)
{
    options.write_stall = std::chrono::milliseconds(20);
    options.cancel_grace = std::chrono::milliseconds(10);
    say_more_than_the_connection_holds();
    send(request("1", "wait"));
    BOOST_TEST(wait_end() == make_error_code(errc::write_stalled));
}

BOOST_AUTO_TEST_CASE(it_is_left_too_when_only_finished_replies_are_to_be_sent)
{
    options.write_stall = std::chrono::milliseconds(20);
    say_more_than_the_connection_holds();
    end_input();
    BOOST_TEST(wait_end() == make_error_code(errc::write_stalled));
}

BOOST_AUTO_TEST_SUITE_END()
