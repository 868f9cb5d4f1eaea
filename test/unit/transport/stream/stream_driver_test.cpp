// The driver against a stream whose every operation ends when the test says so.

#include "session/calls/make_outgoing.hpp"
#include "support/dialogue.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/protocol/framing.hpp>
#include <partyline/transport/detail/byte_stream.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;

namespace {

// What the stream does, and what has become of it.
struct stream_state {
    bool is_socket = false;
    bool explains_end = false;
    bool can_try_write = false;
    detail::end_reason why_ended;
    std::size_t room = 1'000'000; // that writes find at once
    error_code write_failure;
    std::size_t unread = 0; // by the peer, less with each look
    std::size_t read_a_look = 0;
    int looks = 0;

    std::string written;
    bool is_send_closed = false;
    bool is_closing = false;
    asio::mutable_buffer target;
    asio::const_buffer source;
    std::shared_ptr<detail::byte_stream::user> reader;
    std::shared_ptr<detail::byte_stream::user> writer;
};

class stub_stream final : public detail::byte_stream {
public:
    stub_stream(asio::any_io_executor executor, std::shared_ptr<stream_state> state)
        : executor_(std::move(executor)), state_(std::move(state))
    {
    }

    void start_read(asio::mutable_buffer target, std::shared_ptr<user> told) override
    {
        state_->target = target;
        state_->reader = std::move(told);
    }
    std::size_t try_write(asio::const_buffer source, error_code& failed) override
    {
        const std::size_t count = std::min(state_->room, source.size());
        failed = state_->write_failure;
        if (failed)
            return 0;
        state_->room -= count;
        state_->written.append(static_cast<const char*>(source.data()), count);
        if (count == 0)
            failed = asio::error::would_block;
        return count;
    }
    bool can_try_write() const noexcept override { return state_->can_try_write; }
    void start_write(asio::const_buffer source, std::shared_ptr<user> told) override
    {
        state_->source = source;
        state_->writer = std::move(told);
    }
    std::size_t unread() override
    {
        ++state_->looks;
        return state_->unread -= std::min(state_->unread, state_->read_a_look);
    }
    bool is_socket() const noexcept override { return state_->is_socket; }
    bool close_send() override { return state_->is_send_closed = true; }
    void start_close(std::shared_ptr<user> told) override
    {
        if (!std::exchange(state_->is_closing, true))
            asio::post(executor_, [told = std::move(told)] { told->on_closed(); });
        state_->reader.reset();
        state_->writer.reset();
    }
    detail::end_reason why_ended() const override { return state_->why_ended; }
    bool explains_end() const noexcept override { return state_->explains_end; }

private:
    asio::any_io_executor executor_;
    std::shared_ptr<stream_state> state_;
};

struct fixture {
    asio::io_context context{1};
    std::shared_ptr<method_table> methods = std::make_shared<method_table>();
    session_options options;
    std::shared_ptr<stream_state> stream = std::make_shared<stream_state>();
    std::shared_ptr<stream_driver> driver;
    std::optional<error_code> result;

    fixture()
    {
        methods->add("echo", [](json::value v) { return v; });
    }

    ~fixture()
    {
        stream->reader.reset(); // that is the driver, which owns the stream
        stream->writer.reset();
    }

    void make()
    {
        driver = std::make_shared<stream_driver>(
            context.get_executor(), std::make_unique<stub_stream>(context.get_executor(), stream), methods, options);
    }
    void start()
    {
        if (!driver)
            make();
        driver->start({[this](error_code failed) { result = failed; }, context.get_executor()});
        settle();
    }
    void settle()
    {
        context.restart();
        context.poll();
    }
    void run_until(const std::function<bool()>& done)
    {
        context.restart();
        const auto deadline = std::chrono::steady_clock::now() + 20s;
        while (!done() && std::chrono::steady_clock::now() < deadline)
            context.run_one_for(1s);
        BOOST_TEST_REQUIRE(done());
    }

    // Runs nothing besides, in particular no timer.
    void say_only(const std::string& line) { say_bytes(line + '\n'); }
    void say_bytes(const std::string& text)
    {
        BOOST_TEST_REQUIRE(bool(stream->reader));
        text.copy(static_cast<char*>(stream->target.data()), stream->target.size());
        std::exchange(stream->reader, nullptr)->on_read({}, text.size());
    }
    void say(const std::string& line)
    {
        say_only(line);
        settle();
    }
    void end_input(error_code why = asio::error::eof)
    {
        BOOST_TEST_REQUIRE(bool(stream->reader));
        std::exchange(stream->reader, nullptr)->on_read(why, 0);
        settle();
    }
    void finish_write()
    {
        BOOST_TEST_REQUIRE(bool(stream->writer));
        stream->written.append(static_cast<const char*>(stream->source.data()), stream->source.size());
        std::exchange(stream->writer, nullptr)->on_written({}, stream->source.size());
        settle();
    }
};

// Its peer has no room for anything, and the stream can tell.
struct refused_fixture : fixture {
    refused_fixture()
    {
        stream->can_try_write = true;
        stream->room = 0;
    }
    bool is_reading() const { return bool(stream->reader); }
    // The peer takes something.
    void take(std::size_t count)
    {
        BOOST_TEST_REQUIRE(bool(stream->writer));
        stream->written.append(static_cast<const char*>(stream->source.data()), count);
        std::exchange(stream->writer, nullptr)->on_written({}, count);
    }
};

// Lines, in a framing that also asks whether the peer is there.
class asking_framing final : public framing {
public:
    std::span<char> prepare() override { return lines_.prepare(); }
    void commit(std::size_t count) override { lines_.commit(count); }
    bool next(frame& out) override { return lines_.next(out); }
    void finish() override { lines_.finish(); }
    std::size_t pending() const noexcept override { return lines_.pending(); }
    void give_up_pending() override { lines_.give_up_pending(); }
    void release_memory() override { lines_.release_memory(); }
    void begin_message(byte_buffer& out) override { lines_.begin_message(out); }
    void end_message(byte_buffer& out) override { lines_.end_message(out); }
    bool speaks() const noexcept override { return true; }
    void append_probe(byte_buffer& out) override { out.append("?"); }

private:
    line_framing lines_{limits()};
};

const error_code peer_gone = errc::peer_gone;

} // namespace

BOOST_FIXTURE_TEST_SUITE(stream_driver_suite, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(what_waits_beyond_the_soft_mark_goes_out_when_it_is_started)
{
    options.bounds.outbox_soft_bytes = 10;
    make();
    const auto notify = [&](const char* method) {
        error_code failed;
        const auto told = make_notification(method, {}, [](error_code) {}, driver->origin(), failed);
        driver->launch(told, failed);
    };
    for (const char* method : {"one", "two", "three"})
        notify(method);
    settle(); // the turn that is asked for comes before there is a stream to write to
    start();
    BOOST_TEST(stream->written ==
               notification("one") + '\n' + notification("two") + '\n' + notification("three") + '\n');
}

BOOST_AUTO_TEST_CASE(what_a_reply_has_kept_from_starting_starts_when_that_goes_out_at_once)
{
    methods->add("long", [] { return std::string(14'000, 'x'); });
    options.bounds.outbox_hard_bytes = 16'384;
    start();
    say(request("1", "long") + '\n' + request("2", "echo"));
    BOOST_TEST(stream->written.ends_with(partyline::test::result("2", "null") + '\n'));
}

BOOST_AUTO_TEST_CASE(one_that_was_stopped_before_it_was_started_says_nothing)
{
    make();
    error_code failed;
    driver->launch(make_notification("news", {}, [](error_code) {}, driver->origin(), failed), failed);
    driver->stop(errc::session_closed);
    settle();
    start();
    BOOST_TEST(stream->written.empty());
    BOOST_TEST(!stream->is_send_closed);
    BOOST_TEST(result.value() == error_code(errc::session_closed));
}

BOOST_AUTO_TEST_CASE(it_is_started_once)
{
    start();
    std::optional<error_code> second;
    driver->start({[&](error_code why) { second = why; }, context.get_executor()});
    settle();
    BOOST_TEST(second.value() == error_code(errc::already_started));
    BOOST_TEST(!result);
    end_input();
    BOOST_TEST(result.value() == error_code());
}

BOOST_AUTO_TEST_CASE(the_end_of_input_after_a_write_that_failed_is_no_good_end)
{
    stream->explains_end = true;
    stream->why_ended.is_gone = true;
    start();
    stream->write_failure = asio::error::broken_pipe;
    say(request("1", "echo"));
    BOOST_TEST(!result); // its end will say why
    end_input();
    BOOST_TEST(result.value() == peer_gone);
}

BOOST_AUTO_TEST_CASE(a_stream_that_has_ended_explains_no_failed_write_any_more)
{
    stream->explains_end = true;
    gate slow(context);
    methods->add("slow", [&](request_context&) -> asio::awaitable<int> {
        co_await slow.wait();
        co_return 1;
    });
    options.close_timeout = 1h;
    start();
    say(request("1", "slow"));
    end_input();
    stream->write_failure = asio::error::broken_pipe;
    slow.open();
    settle();
    BOOST_TEST(result.value() == peer_gone);
}

BOOST_AUTO_TEST_CASE(a_connection_that_is_cut_off_between_messages_has_ended)
{
    start();
    say(request("1", "echo"));
    end_input(errc::stream_truncated);
    BOOST_TEST(result.value() == error_code());
    BOOST_TEST(stream->written == partyline::test::result("1", "null") + '\n');
}

BOOST_AUTO_TEST_CASE(also_before_the_first_one)
{
    start();
    end_input(errc::stream_truncated);
    BOOST_TEST(result.value() == error_code());
}

// The text is a whole request, and could be the beginning of something else.
BOOST_AUTO_TEST_CASE(one_that_is_cut_off_within_a_message_has_failed)
{
    start();
    say_bytes(request("1", "echo"));
    settle();
    end_input(errc::stream_truncated);
    BOOST_TEST(result.value() == error_code(errc::stream_truncated));
    BOOST_TEST(stream->written.empty());
}

BOOST_AUTO_TEST_CASE(what_handlers_still_do_then_is_told)
{
    gate slow(context);
    methods->add("slow", [&](request_context&) -> asio::awaitable<int> {
        co_await slow.wait();
        co_return 1;
    });
    start();
    say(request("1", "slow"));
    end_input(errc::stream_truncated);
    BOOST_TEST(!result);
    slow.open();
    settle();
    BOOST_TEST(result.value() == error_code());
    BOOST_TEST(stream->written == partyline::test::result("1", "1") + '\n');
}

BOOST_AUTO_TEST_CASE(when_the_peer_closes_too_nothing_is_waited_for_any_more)
{
    options.close_timeout = 1h;
    start();
    driver->close();
    settle();
    BOOST_TEST(stream->is_send_closed);
    BOOST_TEST(!result);
    end_input();
    BOOST_TEST(result.value() == error_code());
    BOOST_TEST(context.stopped()); // no timer is left
}

BOOST_AUTO_TEST_CASE(after_a_stop_the_peers_end_is_not_waited_for)
{
    options.close_timeout = 1h;
    start();
    driver->stop(errc::session_closed);
    settle();
    BOOST_TEST(result.value() == error_code(errc::session_closed));
}

BOOST_AUTO_TEST_CASE(a_peer_that_reads_though_no_write_ends_is_not_given_up)
{
    options.write_stall = 2ms;
    options.write_stall_bytes = 1;
    stream->room = 0;
    stream->unread = 1'000'000;
    stream->read_a_look = 10;
    start();
    say(request("1", "echo"));
    run_until([&] { return stream->looks >= 6 || result; });
    BOOST_TEST(!result);
    stream->read_a_look = 0;
    run_until([&] { return result.has_value(); });
    BOOST_TEST(*result == error_code(errc::write_stalled));
}

BOOST_AUTO_TEST_CASE(a_peer_that_has_caught_up_is_watched_no_longer)
{
    options.write_stall = 1ms;
    stream->room = 0;
    start();
    say(request("1", "echo"));
    stream->room = 1'000'000;
    finish_write();
    context.restart();
    context.run_for(5ms);
    BOOST_TEST(!result);
}

BOOST_AUTO_TEST_CASE(after_the_drain_timeout_what_is_to_be_said_is_not_bounded_by_the_grace)
{
    gate never(context);
    methods->add("slow", [&](request_context&) -> asio::awaitable<int> {
        co_await never.wait();
        co_return 1;
    });
    options.drain_timeout = 0ms;
    options.cancel_grace = 1ms;
    stream->room = 0;
    start();
    say(request("1", "slow") + '\n' + request("2", "echo"));
    end_input();
    run_until([&] { return driver->counters().in_flight == 0; });
    context.restart();
    context.run_for(10ms);
    BOOST_TEST(!result); // the peer still reads
    stream->room = 1'000'000;
    finish_write();
    BOOST_TEST(result.value() == error_code(errc::drain_timeout));
    BOOST_TEST(stream->written == partyline::test::result("2", "null") + '\n' +
                                      cancelled("1", "input has ended and the drain timeout is over") + '\n');
}

BOOST_FIXTURE_TEST_CASE(nothing_is_read_while_a_reply_has_no_room, refused_fixture)
{
    start();
    say_only(request("1", "echo"));
    BOOST_TEST(!is_reading());
    stream->room = 1'000'000;
    take(1);
    BOOST_TEST(is_reading());
    BOOST_TEST(stream->written == partyline::test::result("1", "null") + '\n');
}

BOOST_FIXTURE_TEST_CASE(but_for_a_millisecond, refused_fixture)
{
    start();
    const auto before = std::chrono::steady_clock::now();
    say_only(request("1", "echo"));
    run_until([&] { return is_reading(); });
    BOOST_TEST((std::chrono::steady_clock::now() - before >= 1ms));
    say_only(request("2", "echo")); // and then all, until the peer takes something
    BOOST_TEST(is_reading());
}

BOOST_FIXTURE_TEST_CASE(once_a_millisecond_where_the_peer_takes_little, refused_fixture)
{
    start();
    say_only(request("1", "echo"));
    for (const char* id : {"2", "3"}) {
        BOOST_TEST(!is_reading());
        take(1);
        run_until([&] { return is_reading(); });
        say_only(request(id, "echo"));
    }
    BOOST_TEST(!is_reading());
}

BOOST_FIXTURE_TEST_CASE(who_has_called_reads_on, refused_fixture)
{
    start();
    error_code failed;
    driver->launch(make_call("question", {}, {}, [](error_code, response) {}, driver->origin(), failed), failed);
    settle();
    say_only(request("1", "echo"));
    BOOST_TEST(is_reading());
    say_only(partyline::test::result("1", "null"));
    BOOST_TEST(!is_reading());
}

BOOST_FIXTURE_TEST_CASE(where_the_stream_cannot_tell_reading_goes_on, refused_fixture)
{
    stream->can_try_write = false;
    start();
    say_only(request("1", "echo"));
    BOOST_TEST(is_reading());
}

BOOST_FIXTURE_TEST_CASE(two_long_messages_may_be_unsent, refused_fixture)
{
    methods->add("long", [] { return std::string(100'000, 'x'); });
    start();
    say_only(request("1", "long"));
    BOOST_TEST(is_reading());
    say_only(request("2", "echo"));
    BOOST_TEST(is_reading());
    say_only(request("3", "long"));
    BOOST_TEST(!is_reading());
}

BOOST_FIXTURE_TEST_CASE(the_end_comes_also_while_reading_is_held, refused_fixture)
{
    start();
    say_only(request("1", "echo"));
    BOOST_TEST(!is_reading());
    driver->stop(errc::session_closed);
    stream->room = 1'000'000;
    finish_write();
    BOOST_TEST(result.value() == error_code(errc::session_closed));
    BOOST_TEST(stream->written == partyline::test::result("1", "null") + '\n');
    BOOST_TEST(context.stopped()); // no timer is left
}

BOOST_FIXTURE_TEST_CASE(so_does_the_end_of_input, refused_fixture)
{
    start();
    say_only(request("1", "echo"));
    run_until([&] { return is_reading(); });
    end_input();
    stream->room = 1'000'000;
    finish_write();
    BOOST_TEST(result.value() == error_code());
    BOOST_TEST(stream->written == partyline::test::result("1", "null") + '\n');
}

BOOST_AUTO_TEST_CASE(a_peer_that_has_gone_when_it_is_asked_is_not_asked_again)
{
    options.ping_interval = 100ms;
    stream->write_failure = asio::error::broken_pipe;
    driver = std::make_shared<stream_driver>(context.get_executor(),
                                             std::make_unique<stub_stream>(context.get_executor(), stream), methods,
                                             options, std::make_unique<asking_framing>());
    start();
    run_until([&] { return result.has_value(); });
    BOOST_TEST(*result == peer_gone);
    settle();
    BOOST_TEST(context.stopped()); // no timer is left
}

BOOST_AUTO_TEST_SUITE_END()
