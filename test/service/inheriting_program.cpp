#include "inheriting_program.hpp"

#include "support/descriptors.hpp"
#include "support/test_threads.hpp"

#include <csignal>
#include <stdexcept>
#include <utility>

#include <sys/socket.h>
#include <sys/un.h>

namespace partyline::test {
namespace {

// The shell finds them where standard input and output are, and becomes the program.
std::string starting(bool has_second)
{
    const std::string count = has_second ? "2" : "1";
    const std::string places = has_second ? " 3<&0 4<&1" : " 3<&0";
    return "exec env LISTEN_PID=$$ LISTEN_FDS=" + count + " \"$0\" \"$@\"" + places + " </dev/null >/dev/null";
}

template <class Address>
unique_fd listen_on(int family, const Address& at)
{
    unique_fd made(checked(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    checked(::bind(made.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), "bind");
    checked(::listen(made.get(), SOMAXCONN), "listen");
    return made;
}

} // namespace

manager_socket::manager_socket(::in_addr_t address)
{
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(address);
    fd_ = listen_on(AF_INET, at);
}

manager_socket::manager_socket(const std::filesystem::path& path)
{
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    if (path.string().size() >= sizeof at.sun_path)
        throw std::runtime_error("too long for a socket: " + path.string());
    path.string().copy(at.sun_path, sizeof at.sun_path - 1);
    fd_ = listen_on(AF_UNIX, at);
}

unique_fd manager_socket::connect() const
{
    sockaddr_storage at{};
    socklen_t size = sizeof at;
    auto* const name = reinterpret_cast<sockaddr*>(&at);
    checked(::getsockname(fd_.get(), name, &size), "getsockname");
    unique_fd made(checked(::socket(at.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    checked(::connect(made.get(), name, size), "connect");
    return made;
}

inheriting_program::inheriting_program(const std::string& program, const std::vector<std::string>& words, int first,
                                       int second)
{
    std::vector<std::string> all = by_test_threads(program, words);
    all.insert(all.begin(), {"-c", starting(second >= 0), program});
    pipe_ends errors = make_pipe();
    process_.emplace("/bin/sh", all, child_stdio{first, second, errors.write.get()});
    errors.write.reset();
    errors_ = line_reader(std::move(errors.read));
}

int inheriting_program::end()
{
    process_->signal(SIGTERM);
    return process_->wait_exit();
}

} // namespace partyline::test
