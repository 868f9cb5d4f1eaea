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

connection::connection(std::uint16_t port, speech how, const tls_client* secured)
    : socket_(connect(port)), read_from_(socket_.get()), write_to_(socket_.get()), how_(how)
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
    const ssize_t count = write_some();
    if (count > 0) {
        unsent_.remove_prefix(static_cast<std::size_t>(count));
    } else if (!is_for_later(errno)) {
        unsent_ = {};
        is_refused_ = true;
    }
}

ssize_t connection::write_some()
{
    if (secured_)
        return secured_->send(unsent_);
    if (how_ == speech::streams)
        return ::write(write_to_, unsent_.data(), unsent_.size());
    return ::send(write_to_, unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
}

ssize_t connection::read_to(char* to, std::size_t size)
{
    return secured_ ? secured_->recv(to, size) : ::read(read_from_, to, size);
}

// TLS may hand out less than it has read; the socket does not tell of that again.
bool connection::read_some(inbox& into)
{
    char buffer[read_size];
    for (;;) {
        const ssize_t count = read_to(buffer, sizeof buffer);
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
    const std::size_t before = into.size();
    switch (how_) {
    case speech::http: replies_.append(bytes, into); break;
    case speech::lines: lines_.append(bytes, into); break;
    case speech::websocket: frames_.append(bytes, into); break;
    case speech::streams: into.append(bytes); break;
    case speech::unheard: break;
    }
    messages_ += into.size() - before;
}

} // namespace wire_client
