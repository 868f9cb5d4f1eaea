#include <partyline/transport/detail/stream_adapter.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/test/unit_test.hpp>

#include <utility>

namespace asio = boost::asio;
using partyline::memory_stream;
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

BOOST_AUTO_TEST_SUITE_END()
