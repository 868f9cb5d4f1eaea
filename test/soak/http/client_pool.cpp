#include "client_pool.hpp"

#include "support/child_process.hpp"
#include "support/descriptors.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <sys/epoll.h>

namespace partyline::test {

client_pool::client_pool(std::uint16_t port, std::size_t size, post_mix mix, choose_plan choose)
    : port_(port), size_(size), mix_(std::move(mix)), choose_(std::move(choose)),
      events_(checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")), last_event_(std::chrono::steady_clock::now())
{
}

void client_pool::run(std::uint64_t posts)
{
    while (counts_.posts < posts) {
        fill();
        poll(patience);
    }
}

void client_pool::finish()
{
    while (!connections_.empty())
        poll(patience);
}

void client_pool::fill()
{
    while (connections_.size() < size_) {
        const client_plan how = choose_(mix_);
        connections_.push_back(std::make_unique<client_connection>(port_, mix_, how, counts_));
        watch(*connections_.back(), EPOLL_CTL_ADD);
    }
}

void client_pool::watch(client_connection& one, int how)
{
    one.is_watched_to_send = one.wants_to_send();
    epoll_event wanted{};
    wanted.events = EPOLLIN | (one.is_watched_to_send ? EPOLLOUT : 0U);
    wanted.data.ptr = &one;
    checked(::epoll_ctl(events_.get(), how, one.socket(), &wanted), "epoll_ctl");
}

void client_pool::poll(std::chrono::milliseconds time)
{
    std::array<epoll_event, 64> ready{};
    const int count = ::epoll_wait(events_.get(), ready.data(), ready.size(), static_cast<int>(time.count()));
    if (count < 0 && errno != EINTR)
        checked(count, "epoll_wait");
    for (const epoll_event& one : std::span(ready).first(static_cast<std::size_t>(std::max(count, 0))))
        serve(*static_cast<client_connection*>(one.data.ptr), one.events);
    check_patience(count > 0);
}

void client_pool::serve(client_connection& one, unsigned events)
{
    if (!one.go_on(events))
        std::erase_if(connections_, [&](const auto& each) { return each.get() == &one; });
    else if (one.is_watched_to_send != one.wants_to_send())
        watch(one, EPOLL_CTL_MOD);
}

void client_pool::check_patience(bool has_come)
{
    const auto now = std::chrono::steady_clock::now();
    if (has_come)
        last_event_ = now;
    if (connections_.empty() || now < last_event_ + patience)
        return;
    std::string waits;
    for (const auto& each : connections_)
        waits += "; " + each->describe();
    throw std::runtime_error("nothing comes any more" + waits);
}

} // namespace partyline::test
