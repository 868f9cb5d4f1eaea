// One context and many threads.

#include "support/test_certificates.hpp"
#include "support/thread_crew.hpp"
#include "support/unique_fd.hpp"
#include "tls/context/client_core.hpp"
#include "tls/context/server_context_core.hpp"

#include <partyline/tls.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include <sys/socket.h>

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace partyline;
using namespace partyline::test;

namespace {

// Both ends of a connection, on one thread; whether the server hears what the client says.
bool talks(const tls::server_context_core& server, const tls::client_core& client)
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

BOOST_DATA_TEST_CASE(files_are_read_again_while_others_connect, boost::unit_test::data::make({false, true}),
                     asks_clients)
{
    const test_certificates files;
    tls::server_options options;
    options.certificates = {files.make_local()};
    if (asks_clients) {
        options.client_ca_file = files.trusted_ca();
        options.clients = tls::client_certificates::optional;
    }
    options.ticket_lifetime = std::chrono::milliseconds(1);
    tls::server_context_core server(options);
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

BOOST_AUTO_TEST_CASE(hands_are_shaken_on_many_threads)
{
    const test_certificates files;
    tls::server_options options;
    options.certificates = {files.make_local()};
    const tls::server_context server(options);
    tls::client_options trusting;
    trusting.ca_file = files.trusted_ca();
    const tls::client_context client(trusting);

    constexpr int count = 40;
    std::atomic<int> accepted = 0;
    std::atomic<int> cancelled = 0;
    {
        thread_crew crew(3);
        tcp::acceptor acceptor(asio::make_strand(crew.context), tcp::endpoint(asio::ip::address_v4::loopback(), 0));
        const auto port = acceptor.local_endpoint().port();
        std::function<void()> accept = [&] {
            acceptor.async_accept(crew.context, [&](error_code failed, tcp::socket socket) {
                if (failed)
                    return;
                tls::async_accept(std::move(socket), server,
                                  [&](error_code result, tls::stream) { accepted += result ? 0 : 1; });
                accept();
            });
        };
        asio::post(acceptor.get_executor(), accept);

        std::vector<std::future<tls::stream>> all;
        std::vector<asio::cancellation_signal> signals(count);
        for (asio::cancellation_signal& signal : signals) {
            all.push_back(tls::async_connect(crew.context.get_executor(), "127.0.0.1", port, client, asio::use_future));
            // Cancelled where it runs, before it can have gone on.
            const auto strand = asio::make_strand(crew.context);
            asio::post(strand, [&, strand] {
                tls::async_connect(strand, "127.0.0.1", port, client,
                                   asio::bind_cancellation_slot(signal.slot(), [&](error_code result, tls::stream) {
                                       cancelled += result == asio::error::operation_aborted ? 1 : 0;
                                   }));
                signal.emit(asio::cancellation_type::terminal);
            });
        }
        std::vector<tls::stream> open; // until the server has seen the end of each handshake
        for (std::future<tls::stream>& one : all)
            open.push_back(one.get());
        asio::post(acceptor.get_executor(), [&] { acceptor.close(); });
        crew.join();
    }
    BOOST_TEST(accepted >= count);
    BOOST_TEST(cancelled == count);
}

BOOST_AUTO_TEST_SUITE_END()
