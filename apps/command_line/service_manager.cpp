#include "command_line/service_manager.hpp"

#include "command_line/line_log.hpp"
#include "session/owned_descriptor.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <time.h>
#include <unistd.h>

namespace command_line {
namespace {

using namespace std::chrono_literals;

constexpr auto pause_before_retry = 100ms;

// Nobody reads more than that late; the last states count.
constexpr std::size_t most_unsent = 16;

std::string take(const char* name)
{
    const char* const value = std::getenv(name); // NOLINT(concurrency-mt-unsafe)
    std::string result = value ? value : "";
    ::unsetenv(name); // NOLINT(concurrency-mt-unsafe)
    return result;
}

void complain(const std::string& what)
{
    say_as_program("the service manager can't be told anything: " + what);
}

std::optional<std::uint64_t> number_of(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

std::string monotonic_microseconds()
{
    timespec now = {};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::to_string(std::uint64_t(now.tv_sec) * 1'000'000 + std::uint64_t(now.tv_nsec) / 1000);
}

} // namespace

service_manager::service_manager()
{
    read_socket();
    read_watchdog();
}

// A path, or "@" and a name in the abstract namespace.
void service_manager::read_socket()
{
    const std::string path = take("NOTIFY_SOCKET");
    if (path.empty())
        return;
    if (path[0] != '/' && path[0] != '@')
        return complain("NOTIFY_SOCKET is neither a path that begins with / nor a name that begins with @");
    if (path.size() >= sizeof address_.sun_path)
        return complain("NOTIFY_SOCKET is too long");
    address_.sun_family = AF_UNIX;
    std::copy(path.begin(), path.end(), address_.sun_path);
    const std::size_t bytes = offsetof(sockaddr_un, sun_path) + path.size();
    address_bytes_ = static_cast<socklen_t>(path[0] == '@' ? bytes : bytes + 1);
    if (path[0] == '@')
        address_.sun_path[0] = '\0';
}

void service_manager::read_watchdog()
{
    const std::string time = take("WATCHDOG_USEC");
    const std::string owner = take("WATCHDOG_PID");
    if (time.empty() || !address_bytes_)
        return;
    const std::optional<std::uint64_t> process = number_of(owner);
    if (!owner.empty() && !process)
        return say_as_program("the service manager does not watch this program: WATCHDOG_PID is no number");
    if (process && *process != std::uint64_t(::getpid()))
        return;
    const std::optional<std::uint64_t> interval = number_of(time);
    constexpr std::uint64_t longest = std::uint64_t(1) << 50; // decades
    if (!interval || *interval == 0 || *interval > longest)
        return say_as_program("the service manager does not watch this program: WATCHDOG_USEC is no time");
    alive_every_ = std::chrono::microseconds(std::max<std::uint64_t>(*interval / 2, 1000));
}

void service_manager::tell_ready(const end_signals& clock)
{
    clock_ = &clock;
    tell("READY=1");
    if (alive_every_)
        tell_alive();
}

void service_manager::tell_reloading()
{
    tell("RELOADING=1\nMONOTONIC_USEC=" + monotonic_microseconds());
}

void service_manager::tell_reloaded()
{
    tell("READY=1");
}

void service_manager::tell_stopping()
{
    if (clock_ && !std::exchange(is_stopping_, true))
        tell("STOPPING=1");
}

void service_manager::tell_alive()
{
    if (unsent_.empty())
        send("WATCHDOG=1"); // what finds no room is not sent late: the manager has not read what came before
    call_later(*alive_every_, &service_manager::tell_alive);
}

void service_manager::tell(std::string state)
{
    if (!address_bytes_ || (unsent_.empty() && send(state)))
        return;
    if (unsent_.size() == most_unsent)
        unsent_.pop_front();
    unsent_.push_back(std::move(state));
    if (unsent_.size() == 1)
        call_later(pause_before_retry, &service_manager::send_unsent);
}

void service_manager::send_unsent()
{
    while (!unsent_.empty() && send(unsent_.front()))
        unsent_.pop_front();
    if (!unsent_.empty())
        call_later(pause_before_retry, &service_manager::send_unsent);
}

// False: there was no room, which there may be later.
bool service_manager::send(std::string_view state)
{
    const partyline::owned_descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const auto* const to = reinterpret_cast<const sockaddr*>(&address_);
    if (socket &&
        ::sendto(socket.get(), state.data(), state.size(), MSG_DONTWAIT | MSG_NOSIGNAL, to, address_bytes_) >= 0)
        return true;
    const int failed = errno;
    if (failed == EAGAIN || failed == ENOBUFS || failed == EMFILE || failed == ENFILE)
        return false;
    if (!std::exchange(has_failed_, true))
        complain(std::strerror(failed));
    return true;
}

void service_manager::call_later(std::chrono::steady_clock::duration delay, void (service_manager::*what)())
{
    if (clock_)
        clock_->call_after(delay, [this, what] { (this->*what)(); });
}

} // namespace command_line
