// One context and many threads.

#include "support/test_certificates.hpp"
#include "support/unique_fd.hpp"
#include "tls/context/client_core.hpp"
#include "tls/context/server_core.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include <sys/socket.h>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;

namespace {

// Both ends of a connection, on one thread; whether the server hears what the client says.
bool talks(const tls::server_core& server, const tls::client_core& client)
{
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    const unique_fd first(ends[0]);
    const unique_fd second(ends[1]);
    const auto asking = client.make_layer(first.get(), "localhost");
    const auto answering = server.make_layer(second.get(), {});
    for (int i = 0; i < 4; ++i) {
        asking->handshake();
        answering->handshake();
    }
    error_code failed;
    asking->write_some(asio::buffer("hello", 5), failed);
    char room[16];
    return answering->read_some(asio::buffer(room), failed) == 5;
}

} // namespace

BOOST_AUTO_TEST_SUITE(tls_threads, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(files_are_read_again_while_others_connect)
{
    const test_certificates files;
    tls::server_options options;
    options.certificates = {files.make_local()};
    options.client_ca_file = files.trusted_ca();
    options.clients = tls::client_certificates::optional;
    options.ticket_lifetime = std::chrono::milliseconds(1);
    tls::server_core server(options);
    tls::client_options trusting;
    trusting.ca_file = files.trusted_ca();
    const auto client = std::make_shared<const tls::client_core>(trusting);

    constexpr int count = 20;
    std::atomic<int> talked = 0;
    std::atomic<int> running = 3;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 3; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < count; ++i)
                    talked += talks(server, *client) ? 1 : 0;
                --running;
            });
        while (running != 0) {
            server.reload();
            server.rotate_tickets();
        }
    }
    BOOST_TEST(talked == 3 * count);
}

BOOST_AUTO_TEST_SUITE_END()
