#include "support/nats_server.hpp"

#include "support/unique_fd.hpp"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace partyline::test {
namespace {

sockaddr_in loopback(int port)
{
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

// Below those that the system gives to connections: one of them may not have it while the server is away.
int free_port()
{
    std::random_device random;
    std::uniform_int_distribution<int> any(15'000, 31'999);
    for (int tries = 0; tries != 100; ++tries) {
        const unique_fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const sockaddr_in address = loopback(any(random));
        if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
            return ntohs(address.sin_port);
    }
    throw std::runtime_error("no free port");
}

bool is_listening(int port)
{
    const unique_fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = loopback(port);
    return ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
}

} // namespace

nats_server::nats_server(std::vector<std::string> options) : options_(std::move(options)), port_(free_port()) {}

void nats_server::start()
{
    std::vector<std::string> all = {"-a",
                                    "127.0.0.1",
                                    "-p",
                                    std::to_string(port_),
                                    "-js",
                                    "-sd",
                                    (folder_ / "store").string(),
                                    "-l",
                                    (folder_ / "log").string()};
    all.insert(all.end(), options_.begin(), options_.end());
    process_ = std::make_unique<child_process>(PARTYLINE_NATS_SERVER, all, child_stdio{});
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!is_listening(port_)) {
        if (process_->has_exited() || std::chrono::steady_clock::now() >= until)
            throw std::runtime_error("nats-server does not run");
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

void nats_server::kill()
{
    process_->signal(SIGKILL);
    process_->wait_exit();
    process_.reset();
}

} // namespace partyline::test
