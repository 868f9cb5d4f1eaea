#include "tls_fixture.hpp"

#include "tls/engine/subject.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

namespace asio = boost::asio;
using asio::ip::tcp;

namespace partyline::test {
namespace {

constexpr std::chrono::seconds patience{20};

} // namespace

std::string foreign_client::alpn()
{
    const unsigned char* name = nullptr;
    unsigned int size = 0;
    SSL_get0_alpn_selected(native(), &name, &size);
    return std::string(reinterpret_cast<const char*>(name), size);
}

std::string foreign_client::server_name()
{
    const X509* const shown = SSL_get0_peer_certificate(native());
    return shown ? tls::subject_of(*shown) : std::string();
}

tls_fixture::tls_fixture() : acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0))
{
    server_options.certificates = {files.make_local()};
    client_options.ca_file = files.trusted_ca();
    foreign_rules.load_verify_file(files.trusted_ca());
    foreign_rules.set_verify_mode(asio::ssl::verify_peer);
}

bool tls_fixture::run_until(const std::function<bool()>& done)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!done()) {
        context.restart();
        if (context.run_one_until(deadline) == 0)
            return false;
    }
    return true;
}

tls::server_context& tls_fixture::server()
{
    if (!server_)
        server_.emplace(server_options);
    return *server_;
}

std::unique_ptr<foreign_client> tls_fixture::make_foreign_client()
{
    unix_socket theirs(context);
    server_end_ = std::make_unique<unix_socket>(context);
    asio::local::connect_pair(theirs, *server_end_);
    return std::make_unique<foreign_client>(std::move(theirs), foreign_rules);
}

void tls_fixture::shake(foreign_client& with, handshake_outcome& ours)
{
    tls::async_accept(std::move(*server_end_), server(), ours.noting());
    with.stream.async_handshake(asio::ssl::stream_base::client, [&](error_code failed) { with.failed = failed; });
    BOOST_TEST_REQUIRE(run_until([&] { return with.failed && ours.failed; }));
}

bool tls_fixture::echoes(foreign_client& client, tls::stream& ours)
{
    std::string said = "hello over TLS";
    std::string heard(said.size(), '\0');
    std::string back(said.size(), '\0');
    bool is_back = false;
    asio::async_write(client.stream, asio::buffer(said), [](error_code, std::size_t) {});
    asio::async_read(ours, asio::buffer(heard), [&](error_code failed, std::size_t) {
        if (!failed)
            asio::async_write(ours, asio::buffer(heard), [](error_code, std::size_t) {});
    });
    asio::async_read(client.stream, asio::buffer(back), [&](error_code failed, std::size_t) { is_back = !failed; });
    return run_until([&] { return is_back; }) && back == said;
}

void tls_fixture::connect(const std::string& host, handshake_outcome& client, handshake_outcome& server_side)
{
    acceptor.async_accept([&](error_code failed, tcp::socket socket) {
        BOOST_TEST_REQUIRE(!failed);
        tls::async_accept(std::move(socket), server(), server_side.noting());
    });
    tls::async_connect(context.get_executor(), host, port(), tls_fixture::client(), client.noting());
    BOOST_TEST_REQUIRE(run_until([&] { return client.failed && server_side.failed; }));
}

std::string tls_fixture::read_line(tls::stream& from, error_code& failed)
{
    std::string line(4096, '\0');
    std::optional<std::size_t> size;
    from.async_read_some(asio::buffer(line), [&](error_code result, std::size_t count) {
        failed = result;
        size = count;
    });
    BOOST_TEST_REQUIRE(run_until([&] { return size.has_value(); }));
    return line.substr(0, *size);
}

} // namespace partyline::test
