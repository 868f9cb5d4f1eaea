// Clients that send key updates over TLS as fast as they can, and nothing else.

#include "support/http_program.hpp"
#include "support/socket_client.hpp"
#include "support/test_certificates.hpp"
#include "tls/engine/openssl.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <csignal>
#include <string>
#include <system_error>
#include <thread>

using namespace partyline::test;
namespace tls = partyline::tls;

namespace {

// Comes again whenever it is cut off, until the end of its life.
class storm {
public:
    explicit storm(std::uint16_t port) : thread_([this, port] { run(port); }) {}
    ~storm()
    {
        is_over_ = true;
        thread_.join();
    }

    int times_cut() const noexcept { return times_cut_; }

private:
    void run(std::uint16_t port)
    try {
        const tls::ssl_ctx_pointer rules(SSL_CTX_new(TLS_client_method()));
        while (!is_over_) {
            const unique_fd socket = connect_tcp(port);
            const tls::ssl_pointer ssl(SSL_new(rules.get()));
            SSL_set_fd(ssl.get(), socket.get());
            const bool is_up = SSL_connect(ssl.get()) == 1;
            while (is_up && !is_over_ && sends_update(*ssl)) {
            }
            times_cut_ += is_up && !is_over_ ? 1 : 0;
        }
    } catch (const std::system_error&) { // the server has ended
    }
    static bool sends_update(SSL& ssl)
    {
        return SSL_key_update(&ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1 && SSL_do_handshake(&ssl) == 1;
    }

    std::atomic<bool> is_over_ = false;
    std::atomic<int> times_cut_ = 0;
    std::thread thread_; // begins when there is all that it uses
};

struct secure_server {
    test_certificates files;
    tls::certificate_files own = files.make_local();
    http_program program{
        PARTYLINE_ECHO,
        {"--listen", "127.0.0.1:0", "--tls-certificate", own.certificate_file, "--tls-key", own.key_file}};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tls_storm, secure_server, *boost::unit_test::timeout(60))

// rule: security.harm.loop
BOOST_AUTO_TEST_CASE(others_are_served_while_a_client_sends_key_updates)
{
    const storm raging(program.port());
    socket_client other(program.port());
    while (raging.times_cut() < 2)
        other.expect_service();
    other.close();
    program.process().signal(SIGTERM);
    BOOST_TEST(program.process().wait_exit() == 128 + SIGTERM);
    BOOST_TEST(program.errors().read_line().value_or("nothing").find("without data") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
