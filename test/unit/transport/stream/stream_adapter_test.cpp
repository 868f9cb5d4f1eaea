#include <partyline/transport/detail/stream_adapter.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace asio = boost::asio;
using partyline::error_code;
using partyline::memory_stream;
using partyline::detail::byte_stream;
using partyline::detail::stream_adapter;

namespace {

// A stream around another one, as TLS is.
struct wrapped_socket : asio::ip::tcp::socket {
    using asio::ip::tcp::socket::socket;
    using lowest_layer_type = asio::ip::tcp::socket::lowest_layer_type;
};

template <class Stream>
bool is_socket(Stream stream, asio::io_context& context)
{
    return stream_adapter<Stream>(std::move(stream), context.get_executor()).is_socket();
}

template <class Stream>
bool can_try_write(Stream stream, asio::io_context& context)
{
    return stream_adapter<Stream>(std::move(stream), context.get_executor()).can_try_write();
}

// Takes one byte at a time, when it is ready.
struct slow_stream {
    struct state {
        int writes = 0;
        bool is_ready = false;
        std::function<void(error_code)> waiting;
    };
    static constexpr int wait_write = 0;
    std::shared_ptr<state> now = std::make_shared<state>();

    template <class Buffer, class Handler>
    void async_read_some(const Buffer&, Handler)
    {
    }
    template <class Buffer, class Handler>
    void async_write_some(const Buffer&, Handler)
    {
        BOOST_ERROR("written to without having been waited for");
    }
    template <class Handler>
    void async_wait(int, Handler handler)
    {
        const auto kept = std::make_shared<Handler>(std::move(handler)); // std::function wants a copyable one
        now->waiting = [kept](error_code failed) { (*kept)(failed); };
    }
    void non_blocking(bool, error_code&) {}
    std::size_t write_some(asio::const_buffer, error_code& failed)
    {
        ++now->writes;
        failed = now->is_ready ? error_code() : error_code(asio::error::would_block);
        return now->is_ready ? 1 : 0;
    }
    void close() {}
};

struct written_log final : byte_stream::user {
    std::size_t count = 0;

    void on_read(error_code, std::size_t) override {}
    void on_written(error_code, std::size_t written) override { count += written; }
    void on_closed() override {}
};

} // namespace

BOOST_AUTO_TEST_SUITE(stream_adapter_suite)

// The ones that are left when their peer reads nothing for a minute.
BOOST_AUTO_TEST_CASE(sockets_are_told_from_other_streams)
{
    asio::io_context context;
    BOOST_TEST(is_socket(asio::ip::tcp::socket(context), context));
    BOOST_TEST(is_socket(asio::local::stream_protocol::socket(context), context));
    BOOST_TEST(is_socket(wrapped_socket(context), context));
    BOOST_TEST(!is_socket(asio::posix::stream_descriptor(context), context));
    BOOST_TEST(!is_socket(memory_stream::make_pair(context.get_executor()).first, context));
}

BOOST_AUTO_TEST_CASE(who_can_write_without_waiting_says_so)
{
    asio::io_context context;
    asio::local::stream_protocol::socket one(context), other(context);
    asio::local::connect_pair(one, other);
    BOOST_TEST(can_try_write(std::move(one), context));
    BOOST_TEST(!can_try_write(asio::local::stream_protocol::socket(context), context)); // it is not open
    BOOST_TEST(!can_try_write(memory_stream::make_pair(context.get_executor()).first, context));
}

BOOST_AUTO_TEST_CASE(a_refused_write_is_repeated_only_when_there_is_room)
{
    asio::io_context context;
    slow_stream slow;
    const auto now = slow.now;
    stream_adapter<slow_stream> adapter(std::move(slow), context.get_executor());
    const auto told = std::make_shared<written_log>();
    const auto wake = [&] { std::exchange(now->waiting, nullptr)({}); };
    error_code failed;
    adapter.try_write(asio::buffer("xy", 2), failed);
    BOOST_TEST(failed == asio::error::would_block);
    adapter.start_write(asio::buffer("xy", 2), told);
    BOOST_TEST(now->writes == 1);
    wake(); // for nothing
    BOOST_TEST(now->writes == 2);
    now->is_ready = true;
    wake();
    BOOST_TEST(now->writes == 3);
    BOOST_TEST(told->count == 1u);
    BOOST_TEST(!now->waiting);
}

BOOST_AUTO_TEST_SUITE_END()
