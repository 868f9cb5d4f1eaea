#include "socket_client.hpp"

#include "descriptors.hpp"
#include "readiness.hpp"
#include "requests.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace partyline::test {
namespace {

unique_fd make_socket(int family)
{
    return unique_fd(checked(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
}

std::string place(const std::source_location& at)
{
    return std::string(at.file_name()) + ":" + std::to_string(at.line());
}

} // namespace

unique_fd connect_unix(const std::filesystem::path& path)
{
    unique_fd made = make_socket(AF_UNIX);
    connect_unix(made, path);
    return made;
}

void connect_unix(const unique_fd& socket, const std::filesystem::path& path)
{
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    std::strncpy(to.sun_path, path.c_str(), sizeof to.sun_path - 1);
    checked(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to), path.c_str());
}

unique_fd connect_tcp(std::uint16_t port)
{
    unique_fd made = make_socket(AF_INET);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    checked(::connect(made.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to), "connect");
    return made;
}

void socket_client::send(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t size = ::send(lines_.fd(), text.data(), text.size(), MSG_NOSIGNAL);
        if (size >= 0)
            text.remove_prefix(static_cast<std::size_t>(size));
        else if (errno != EAGAIN)
            checked(-1, "send");
        else if (!is_ready(lines_.fd(), POLLOUT, patience))
            throw std::runtime_error("the server does not read");
    }
}

std::string socket_client::read_line()
{
    std::optional<std::string> line = lines_.read_line();
    if (!line)
        throw std::runtime_error("the server has closed the connection");
    return std::move(*line);
}

void socket_client::expect(std::string_view text, here at)
{
    BOOST_TEST_CONTEXT("expected at " << place(at))
    {
        BOOST_TEST(read_line() == text);
    }
}

void socket_client::expect_service(here at)
{
    const std::uint64_t id = ++probes_;
    send(echo_request(id));
    expect(echo_reply(id), at);
}

void socket_client::expect_end(here at)
{
    BOOST_TEST_CONTEXT("expected at " << place(at))
    {
        BOOST_TEST(lines_.read_rest() == "");
    }
}

bool socket_client::has_output() const
{
    return is_ready(lines_.fd(), POLLIN, std::chrono::milliseconds(0));
}

void socket_client::close_send()
{
    checked(::shutdown(lines_.fd(), SHUT_WR), "shutdown");
}

std::size_t first_ready(std::deque<socket_client>& clients)
{
    std::vector<pollfd> entries;
    for (socket_client& one : clients)
        entries.push_back({one.output().fd(), POLLIN, 0});
    if (::poll(entries.data(), entries.size(), static_cast<int>(patience.count())) <= 0)
        throw std::runtime_error("nobody was served within the time");
    std::size_t ready = 0;
    while (entries[ready].revents == 0)
        ++ready;
    return ready;
}

} // namespace partyline::test
