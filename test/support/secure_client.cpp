#include "support/secure_client.hpp"

#include "support/child_process.hpp"
#include "support/descriptors.hpp"

#include <stdexcept>
#include <utility>

#include <sys/socket.h>
#include <sys/time.h>

namespace partyline::test {
namespace {

void require_tls(bool right, const std::string& what)
{
    if (!right)
        throw std::runtime_error("a client by TLS fails: " + what);
}

} // namespace

secure_client::secure_client(const std::string& ca_file) : rules_(SSL_CTX_new(TLS_client_method()))
{
    require_tls(SSL_CTX_load_verify_locations(rules_.get(), ca_file.c_str(), nullptr) == 1, "authority");
    ssl_.reset(SSL_new(rules_.get()));
    SSL_set_verify(ssl_.get(), SSL_VERIFY_PEER, nullptr);
    require_tls(SSL_set1_host(ssl_.get(), "localhost") == 1, "host");
}

void secure_client::open(unique_fd socket)
{
    socket_ = std::move(socket);
    const timeval longest{patience.count() / 1000, 0};
    for (const int direction : {SO_RCVTIMEO, SO_SNDTIMEO})
        checked(::setsockopt(socket_.get(), SOL_SOCKET, direction, &longest, sizeof longest), "SO_RCVTIMEO");
    require_tls(SSL_set_fd(ssl_.get(), socket_.get()) == 1, "socket");
    require_tls(SSL_connect(ssl_.get()) == 1, "handshake");
}

void secure_client::send(std::string_view text)
{
    require_tls(SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size())) > 0, "writing");
}

std::string secure_client::read_until(std::string_view until)
{
    std::string all;
    char room[4096];
    while (all.find(until) == all.npos) {
        const int count = SSL_read(ssl_.get(), room, sizeof room);
        require_tls(count > 0, "reading behind '" + all + '\'');
        all.append(room, static_cast<std::size_t>(count));
    }
    return all;
}

} // namespace partyline::test
