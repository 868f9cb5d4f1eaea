// Contexts are made, two sides shake hands and talk, while one allocation fails, each in turn: OpenSSL's and ours. Of
// `async_accept` and `async_connect` only how the latter is given up: Asio 1.26 ends the process where there is no
// memory for a strand.

#include "faults/allocation_faults.hpp"
#include "support/sanitized.hpp"
#include "support/test_certificates.hpp"
#include "support/unique_fd.hpp"
#include "tls/context/client_core.hpp"
#include "tls/context/server_context_core.hpp"

#include <partyline/tls.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <memory>
#include <string>

#include <sys/socket.h>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;

namespace {

struct fault_fixture {
    test_certificates files;
    tls::server_options server;
    tls::client_options client;

    fault_fixture()
    {
        server.certificates = {files.make_local(),
                               files.make("other", {.common_name = "other", .hosts = {"other.test"}})};
        server.client_ca_file = files.trusted_ca();
        client.ca_file = files.trusted_ca();
        client.alpn = {"http/1.1"};
        const tls::certificate_files alice = files.make("alice", {.common_name = "alice"});
        client.certificate_file = alice.certificate_file;
        client.key_file = alice.key_file;
    }

    // Calls it with each of its allocations failing, and says how many these are. OpenSSL also makes what lasts as long
    // as the program: that has been made by a call before.
    template <class Step>
    std::size_t fail_each_in(Step step, std::size_t stride)
    {
        std::size_t count = 0;
        for (std::size_t n = 1;; n += stride) {
            const armed_allocations armed({.fails_at = n});
            step();
            if (armed.failed() == 0)
                return count;
            ++count;
        }
    }
};

// Both ends of a connection, until neither gets any further.
struct conversation {
    conversation()
    {
        int ends[2];
        BOOST_TEST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
        first = unique_fd(ends[0]);
        second = unique_fd(ends[1]);
    }

    // What the server has heard, and of whom.
    std::string hold(const tls::server_context_core& server, const tls::client_core& client)
    {
        const auto asking = client.make_layer(first.get(), "other.test");
        const auto answering = server.make_layer(second.get(), {});
        for (int i = 0; i < 4; ++i) {
            asking->handshake();
            answering->handshake();
        }
        error_code failed;
        asking->write_some(asio::buffer("hello", 5), failed);
        asking->close_send();
        const std::size_t count = answering->read_some(asio::buffer(room), failed);
        return std::string(room, count) + " of " + answering->peer_subject();
    }

    unique_fd first;
    unique_fd second;
    char room[16];
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tls_fault_suite, fault_fixture, *boost::unit_test::timeout(600))

BOOST_AUTO_TEST_CASE(a_context_that_has_no_memory_is_not_made)
{
    const auto make = [&] {
        try {
            const tls::server_context_core server_side(server);
            const auto client_side = std::make_shared<const tls::client_core>(client);
        } catch (const std::exception&) { // OpenSSL often takes a lack of memory for a fault of the file
        }
    };
    make();
    const std::size_t count = fail_each_in(make, is_sanitized ? 61 : 7);
    BOOST_TEST_MESSAGE("contexts: " << count << " allocations failed");
    BOOST_TEST(count > 100u);
}

// A server that knows its clients, or one that issues tickets.
// rule: security.harm.exceptions
BOOST_DATA_TEST_CASE(a_connection_that_has_no_memory_harms_no_other_one, boost::unit_test::data::make({true, false}),
                     asks_clients)
{
    if (!asks_clients)
        server.client_ca_file.clear();
    const std::string all_well = asks_clients ? "hello of CN=alice" : "hello of ";
    const tls::server_context_core server_side(server);
    const auto client_side = std::make_shared<const tls::client_core>(client);
    const auto talk = [&] {
        try {
            const unharmed scope;
            conversation between;
            return between.hold(server_side, *client_side);
        } catch (const std::exception& problem) {
            return std::string(problem.what());
        }
    };
    BOOST_TEST(talk() == all_well);
    const auto talk_in_need = [&] {
        conversation between;
        try {
            between.hold(server_side, *client_side);
        } catch (const std::bad_alloc&) {
        }
    };
    const std::size_t count = fail_each_in(talk_in_need, is_sanitized ? 23 : 3);
    BOOST_TEST_MESSAGE("connections: " << count << " allocations failed");
    BOOST_TEST(count > 100u);
    BOOST_TEST(talk() == all_well);
}

// The one who connects is told to stop by a message, for which there may be no memory.
BOOST_AUTO_TEST_CASE(connecting_can_be_given_up_without_memory)
{
    const tls::client_context by(client);
    std::size_t count = 0;
    for (std::size_t n = 1, failed = 1; failed != 0; ++n) {
        asio::io_context context(1);
        asio::ip::tcp::acceptor nobody(context, {asio::ip::address_v4::loopback(), 0});
        asio::cancellation_signal signal;
        bool is_told = false;
        tls::async_connect(
            context.get_executor(), "127.0.0.1", nobody.local_endpoint().port(), by,
            asio::bind_cancellation_slot(signal.slot(), [&](error_code, const tls::stream&) { is_told = true; }));
        context.poll_one();
        context.poll_one();
        BOOST_TEST_REQUIRE(!is_told);
        signal.emit(asio::cancellation_type::terminal);
        {
            const armed_allocations armed({.fails_at = n});
            context.poll_one();
            failed = armed.failed();
        }
        count += failed;
        context.poll();
        BOOST_TEST(is_told);
    }
    BOOST_TEST_MESSAGE("connecting: " << count << " allocations failed");
    BOOST_TEST(count != 0u);
}

BOOST_AUTO_TEST_SUITE_END()
