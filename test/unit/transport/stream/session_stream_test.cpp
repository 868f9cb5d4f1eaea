#include "support/dialogue.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <future>
#include <optional>
#include <thread>

#include <sys/socket.h>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::errc;
using partyline::error_code;
using partyline::method_table;

namespace {

method_table echo_methods()
{
    method_table methods;
    methods.add("echo", [](json::value v) { return v; });
    methods.add("big", [](int n) { return std::string(static_cast<std::size_t>(n), 'x'); });
    return methods;
}

// Two connected Unix sockets; ours is wrapped in the stream type under test.
struct socket_ends {
    int ends[2];
    socket_ends() { BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0); }
};

template <class Stream>
Stream make_stream(asio::io_context& context, int descriptor)
{
    if constexpr (std::is_same_v<Stream, asio::local::stream_protocol::socket>)
        return Stream(context, asio::local::stream_protocol(), descriptor);
    else
        return Stream(context, descriptor);
}

// A stream of which a session knows nothing but the two operations: it can't be written to without waiting.
class minimal_stream {
public:
    using executor_type = asio::any_io_executor;
    minimal_stream(asio::io_context& context, int descriptor)
        : stream_(context, asio::local::stream_protocol(), descriptor)
    {
    }

    executor_type get_executor() { return stream_.get_executor(); }
    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token)
    {
        return stream_.async_read_some(buffers, std::forward<Token>(token));
    }
    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token)
    {
        return stream_.async_write_some(buffers, std::forward<Token>(token));
    }
    void close() { stream_.close(); }

private:
    asio::local::stream_protocol::socket stream_;
};

using streams =
    boost::mp11::mp_list<asio::local::stream_protocol::socket, asio::posix::stream_descriptor, minimal_stream>;

// A peer that reads so much at a time, every 5 ms, of a reply of `bytes`: the session wants 1000 in `write_stall`.
struct slow_reader {
    slow_reader(int bytes, std::size_t step, std::chrono::milliseconds write_stall)
    {
        asio::io_context context;
        auto [ours, theirs] = partyline::memory_stream::make_pair(context.get_executor(), context.get_executor(), 256);
        partyline::session_options options;
        options.write_stall = write_stall;
        options.write_stall_bytes = 1000;
        options.cancel_grace = std::chrono::milliseconds(10);
        partyline::session session(std::move(theirs), echo_methods(), std::move(options));
        session.async_run([this](error_code failed) { result = failed; });
        asio::co_spawn(context, talk(ours, bytes, step),
                       [](std::exception_ptr) {}); // the end of the session ends it too
        context.run_for(std::chrono::seconds(10));
    }

    asio::awaitable<void> talk(partyline::memory_stream& stream, int bytes, std::size_t step)
    {
        const std::string text = request("1", "big", '[' + std::to_string(bytes) + ']') + '\n';
        co_await asio::async_write(stream, asio::buffer(text), asio::use_awaitable);
        std::string chunk(step, '\0');
        asio::steady_timer pause(stream.get_executor());
        while (count < static_cast<std::size_t>(bytes) || chunk.find('\n') == chunk.npos) {
            pause.expires_after(std::chrono::milliseconds(5));
            co_await pause.async_wait(asio::use_awaitable);
            std::fill(chunk.begin(), chunk.end(), '\0');
            const std::size_t got = co_await stream.async_read_some(asio::buffer(chunk), asio::use_awaitable);
            count += got;
        }
        stream.close();
    }

    std::optional<error_code> result;
    std::size_t count = 0;
};

} // namespace

BOOST_AUTO_TEST_SUITE(session_stream, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE_TEMPLATE(any_stream_carries_a_session, Stream, streams)
{
    asio::io_context context;
    const socket_ends sockets;
    partyline::session session(make_stream<Stream>(context, sockets.ends[0]), echo_methods());
    std::optional<error_code> ended;
    session.async_run([&](error_code failed) { ended = failed; });

    std::string got;
    std::thread peer([&] {
        asio::io_context own;
        asio::local::stream_protocol::socket socket(own, asio::local::stream_protocol(), sockets.ends[1]);
        // The reply is longer than the socket holds, so it is written in parts.
        asio::write(socket, asio::buffer(request("1", "echo", "[1]") + '\n' + request("2", "big", "[3000000]") + '\n'));
        socket.shutdown(asio::socket_base::shutdown_send);
        error_code eof;
        asio::read(socket, asio::dynamic_buffer(got), eof);
    });
    context.run();
    peer.join();
    BOOST_REQUIRE(ended.has_value());
    BOOST_TEST(!*ended);
    BOOST_TEST((got == result("1", "[1]") + '\n' + result("2", '"' + std::string(3000000, 'x') + '"') + '\n'));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_peer_that_has_gone_ends_the_session_without_a_signal, Stream, streams)
{
    asio::io_context context;
    const socket_ends sockets;
    gate never(context);
    method_table methods = echo_methods();
    methods.add("wait", [&]() -> asio::awaitable<void> { co_await never.wait(); });
    partyline::session session(make_stream<Stream>(context, sockets.ends[0]), std::move(methods));
    std::optional<error_code> ended;
    session.async_run([&](error_code failed) { ended = failed; });

    const std::string lines = request("1", "wait") + '\n' + request("2", "big", "[3000000]") + '\n';
    BOOST_REQUIRE(::send(sockets.ends[1], lines.data(), lines.size(), 0) == static_cast<ssize_t>(lines.size()));
    while (never.arrivals == 0)
        context.run_one();
    ::close(sockets.ends[1]);
    context.run();
    BOOST_REQUIRE(ended.has_value());
    BOOST_TEST((*ended == errc::peer_gone || *ended == asio::error::connection_reset));
}

BOOST_AUTO_TEST_CASE(tokens_of_all_kinds_work)
{
    asio::io_context context;
    auto [ours, theirs] = partyline::memory_stream::make_pair(context.get_executor());
    partyline::session session(std::move(theirs), std::make_shared<const method_table>(echo_methods()));
    std::future<void> ended = session.async_run(asio::use_future);
    ours.close();
    context.run();
    BOOST_CHECK_NO_THROW(ended.get());
}

BOOST_AUTO_TEST_CASE(a_peer_that_reads_a_byte_now_and_then_does_not_count_as_reading)
{
    const slow_reader peer(100'000, 1, std::chrono::milliseconds(100));
    BOOST_TEST((peer.result == errc::write_stalled));
    BOOST_TEST(peer.count > 10u); // it has read something in each tenth of the time
}

BOOST_AUTO_TEST_CASE(a_peer_that_reads_slowly_gets_it_all)
{
    const slow_reader peer(30'000, 500, std::chrono::milliseconds(500)); // a machine at its limits may stop for a while
    BOOST_TEST((peer.result == error_code()));
    BOOST_TEST(peer.count > 30'000u);
}

BOOST_AUTO_TEST_SUITE_END()
