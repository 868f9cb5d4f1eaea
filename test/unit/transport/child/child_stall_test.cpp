// Children that do not read what they are sent.

#include "support/child_fixture.hpp"
#include "transport/stream/write_pace.hpp"

#include <partyline/rpc/args.hpp>
#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

using namespace std::chrono_literals;
namespace asio = boost::asio;
using partyline::child_channel;
using partyline::child_options;
using partyline::errc;
using partyline::error_code;
using partyline::session;
using partyline::session_options;
using partyline::usual_write_stall;
using partyline::detail::stream_adapter;

namespace {

struct stalled_child : partyline::test::child_fixture {
    std::optional<error_code> ended;
    bool is_told = false;

    // More than pipes and sockets have room for.
    session tell_much(const std::string& child, child_channel channel, std::chrono::milliseconds write_stall)
    {
        child_options how;
        how.channel = channel;
        session_options options;
        options.write_stall = write_stall;
        options.cancel_grace = 10ms;
        session client(start({child}, how), std::move(options));
        client.async_run([this](error_code result) { ended = result; });
        client.notify("x", partyline::args(std::string(1 << 20, 'x')))([this](error_code, auto) { is_told = true; });
        return client;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(child_stalls, stalled_child, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_child_that_reads_nothing_is_left)
{
    for (const child_channel channel : {child_channel::pipes, child_channel::socket_pair}) {
        stalled_child one;
        const session client = one.tell_much("deaf", channel, 50ms);
        one.run_until([&] { return one.ended.has_value(); });
        BOOST_TEST((*one.ended == errc::write_stalled));
    }
}

BOOST_AUTO_TEST_CASE(a_child_that_reads_is_not)
{
    for (const child_channel channel : {child_channel::pipes, child_channel::socket_pair}) {
        stalled_child one;
        const session client = one.tell_much("polite", channel, 10s);
        one.run_until([&] { return one.is_told && client.counters().outbox_bytes == 0; });
        BOOST_TEST(!one.ended);
    }
}

BOOST_AUTO_TEST_CASE(a_child_has_minutes_to_read_unless_told)
{
    const asio::any_io_executor executor = context.get_executor();
    for (const child_channel channel : {child_channel::pipes, child_channel::socket_pair}) {
        child_options how;
        how.channel = channel;
        const stream_adapter<partyline::child_process> child(start({"deaf"}, how), executor);
        BOOST_TEST((usual_write_stall(child) == 5min));
    }
    using socket = asio::local::stream_protocol::socket;
    BOOST_TEST((usual_write_stall(stream_adapter<socket>(socket(executor), executor)) == 60s));
    const stream_adapter<partyline::memory_stream> memory(partyline::memory_stream::make_pair(executor).first,
                                                          executor);
    BOOST_TEST((usual_write_stall(memory) == 0s));
}

BOOST_AUTO_TEST_SUITE_END()
