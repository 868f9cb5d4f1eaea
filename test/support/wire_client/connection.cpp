#include "connection.hpp"

#include "failure.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace wire_client {
namespace {

constexpr std::size_t read_size = 65536;

void check(int code, const char* what)
{
    if (code < 0)
        throw failure(std::string(what) + ": " + std::generic_category().message(errno));
}

partyline::test::unique_fd connect(std::uint16_t port)
{
    partyline::test::unique_fd made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    check(made.get(), "a socket of the client");
    const int on = 1;
    check(::setsockopt(made.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "setsockopt");
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    check(::connect(made.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to), "connect");
    const timeval patience{10, 0}; // for the handshake of TLS
    check(::setsockopt(made.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), "setsockopt");
    return made;
}

bool is_for_later(int code)
{
    return code == EAGAIN || code == EINTR;
}

} // namespace

connection::connection(std::uint16_t port, speech how, const tls_client* secured) : socket_(connect(port)), how_(how)
{
    if (secured)
        secured_.emplace(*secured, socket_.get());
    check(::fcntl(socket_.get(), F_SETFL, O_NONBLOCK), "fcntl");
}

void connection::send(std::string_view text)
{
    if (has_unsent())
        throw failure("does not read what it is sent");
    unsent_ = text;
    send_more();
}

void connection::send_more()
{
    if (unsent_.empty())
        return;
    const ssize_t count =
        secured_ ? secured_->send(unsent_) : ::send(socket_.get(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
    if (count > 0)
        unsent_.remove_prefix(static_cast<std::size_t>(count));
    else if (!is_for_later(errno))
        unsent_ = {}; // reading tells that it is closed
}

// TLS may hand out less than it has read; the socket does not tell of that again.
bool connection::read_some(inbox& into)
{
    char buffer[read_size];
    for (;;) {
        const ssize_t count =
            secured_ ? secured_->recv(buffer, sizeof buffer) : ::recv(socket_.get(), buffer, sizeof buffer, 0);
        if (count < 0 && is_for_later(errno))
            return true;
        if (count <= 0)
            return false;
        take({buffer, static_cast<std::size_t>(count)}, into);
        if (!secured_)
            return true;
    }
}

void connection::take(std::string_view bytes, inbox& into)
{
    switch (how_) {
    case speech::http: return replies_.append(bytes, into);
    case speech::lines: return lines_.append(bytes, into);
    case speech::websocket: return frames_.append(bytes, into);
    case speech::unheard: return;
    }
}

std::size_t connection::answers() const noexcept
{
    switch (how_) {
    case speech::http: return replies_.responses();
    case speech::lines: return lines_.lines();
    case speech::websocket: return frames_.messages();
    case speech::unheard: break;
    }
    return 0;
}

} // namespace wire_client
