#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <optional>
#include <string>
#include <thread>

namespace asio = boost::asio;
using partyline::error_code;
using partyline::memory_stream;

namespace {

struct outcome {
    error_code failed;
    std::size_t count = 0;
};

struct fixture {
    asio::io_context context;
    std::pair<memory_stream, memory_stream> ends =
        memory_stream::make_pair(context.get_executor(), context.get_executor(), 8);
    memory_stream& a = ends.first;
    memory_stream& b = ends.second;
    std::array<char, 64> room;

    auto into(std::optional<outcome>& result)
    {
        return [&result](error_code failed, std::size_t count) { result = outcome{failed, count}; };
    }
    void run()
    {
        context.restart();
        context.poll();
    }
    std::string text(std::size_t count) const { return std::string(room.data(), count); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(memory_stream_suite, fixture)

BOOST_AUTO_TEST_CASE(what_one_end_writes_the_other_reads)
{
    std::optional<outcome> written;
    std::optional<outcome> read;
    b.async_read_some(asio::buffer(room), into(read));
    run();
    BOOST_TEST(!read);
    a.async_write_some(asio::buffer("hello", 5), into(written));
    BOOST_TEST(!written); // never from within the call
    run();
    BOOST_REQUIRE((written && read));
    BOOST_TEST(written->count == 5u);
    BOOST_TEST(text(read->count) == "hello");
}

BOOST_AUTO_TEST_CASE(writing_waits_for_room)
{
    std::optional<outcome> written;
    std::optional<outcome> read;
    const std::string twenty(20, 'x');
    asio::async_write(a, asio::buffer(twenty), into(written));
    run();
    BOOST_TEST(!written);
    asio::async_read(b, asio::buffer(room.data(), 20), into(read));
    run();
    BOOST_REQUIRE((written && read));
    BOOST_TEST(!written->failed);
    BOOST_TEST(text(read->count) == twenty);
}

BOOST_AUTO_TEST_CASE(a_closed_end_reads_as_eof_after_what_was_sent)
{
    std::optional<outcome> first;
    std::optional<outcome> second;
    a.async_write_some(asio::buffer("bye", 3), into(first));
    run();
    a.close();
    b.async_read_some(asio::buffer(room), into(first));
    run();
    BOOST_TEST(text(first->count) == "bye");
    b.async_read_some(asio::buffer(room), into(second));
    run();
    BOOST_TEST(second->failed == partyline::error_code(asio::error::eof));
    b.async_write_some(asio::buffer("x", 1), into(second));
    run();
    BOOST_TEST(second->failed == partyline::error_code(asio::error::broken_pipe));
}

BOOST_AUTO_TEST_CASE(sending_can_end_while_reading_goes_on)
{
    std::optional<outcome> read;
    std::optional<outcome> answer;
    a.close_send();
    b.async_read_some(asio::buffer(room), into(read));
    run();
    BOOST_TEST(read->failed == partyline::error_code(asio::error::eof));
    b.async_write_some(asio::buffer("ok", 2), into(answer));
    a.async_read_some(asio::buffer(room), into(read));
    run();
    BOOST_TEST(text(read->count) == "ok");
}

BOOST_AUTO_TEST_CASE(who_waits_is_woken_by_either_end_going_away)
{
    std::optional<outcome> reading;
    std::optional<outcome> writing;
    b.async_read_some(asio::buffer(room), into(reading));
    const std::string nine(9, 'x');
    asio::async_write(b, asio::buffer(nine), into(writing));
    run();
    BOOST_TEST((!reading && !writing));
    a.close();
    run();
    BOOST_TEST(reading->failed == partyline::error_code(asio::error::eof));
    BOOST_TEST(writing->failed == partyline::error_code(asio::error::broken_pipe));

    std::optional<outcome> own;
    auto [c, d] = memory_stream::make_pair(context.get_executor());
    c.async_read_some(asio::buffer(room), into(own));
    run();
    c.close();
    run();
    BOOST_TEST(own->failed == partyline::error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(a_waiting_operation_can_be_cancelled)
{
    asio::cancellation_signal signal;
    for (const auto type :
         {asio::cancellation_type::terminal, asio::cancellation_type::partial, asio::cancellation_type::total}) {
        std::optional<outcome> read;
        b.async_read_some(asio::buffer(room), asio::bind_cancellation_slot(signal.slot(), into(read)));
        run();
        BOOST_TEST(!read);
        signal.emit(type);
        run();
        BOOST_REQUIRE(read.has_value());
        BOOST_TEST(read->failed == partyline::error_code(asio::error::operation_aborted));
    }
}

BOOST_AUTO_TEST_CASE(an_empty_buffer_reads_nothing_at_once)
{
    std::optional<outcome> read;
    b.async_read_some(asio::buffer(room.data(), 0), into(read));
    run();
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((!read->failed && read->count == 0));
}

BOOST_AUTO_TEST_CASE(the_ends_may_live_on_different_threads)
{
    asio::io_context other;
    auto [here, there] = memory_stream::make_pair(context.get_executor(), other.get_executor(), 7);
    const std::string sent(10000, 'x');
    std::string got(sent.size(), ' ');
    std::optional<outcome> written;
    std::optional<outcome> read;
    asio::async_read(there, asio::buffer(got), into(read));
    asio::async_write(here, asio::buffer(sent), into(written));
    std::thread reader([&] { other.run(); });
    context.run();
    reader.join();
    BOOST_TEST((!written->failed && !read->failed));
    BOOST_TEST(got == sent);
}

BOOST_AUTO_TEST_CASE(an_empty_operation_wakes_nobody_on_the_other_end)
{
    std::optional<outcome> full;
    std::optional<outcome> waiting;
    std::optional<outcome> empty;
    a.async_write_some(asio::buffer("12345678", 8), into(full));
    run();
    a.async_write_some(asio::buffer("9", 1), into(waiting));
    b.async_read_some(asio::buffer(room, 0), into(empty));
    run();
    BOOST_REQUIRE((full && empty));
    BOOST_TEST(empty->count == 0u);
    BOOST_TEST(!waiting.has_value());
    b.async_read_some(asio::buffer(room), into(empty));
    run();
    BOOST_REQUIRE(waiting.has_value());
    BOOST_TEST(!waiting->failed);

    std::optional<outcome> reading;
    a.async_read_some(asio::buffer(room), into(reading));
    b.async_write_some(asio::buffer("", 0), into(empty));
    run();
    BOOST_TEST(!reading.has_value());
}

BOOST_AUTO_TEST_CASE(a_waiting_operation_goes_away_with_its_context)
{
    const auto held = std::make_shared<int>(0);
    {
        asio::io_context other;
        auto [one, two] = memory_stream::make_pair(other.get_executor());
        one.async_read_some(asio::buffer(room), [held](error_code, std::size_t) {});
        other.poll();
        BOOST_TEST(held.use_count() == 2);
    }
    BOOST_TEST(held.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
