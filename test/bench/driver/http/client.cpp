#include "client.hpp"

#include "bench/driver/wire.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/epoll.h>

namespace bench::http {
namespace {

constexpr int most_events = 256;

timespec to_timespec(std::chrono::nanoseconds time)
{
    constexpr std::int64_t a_second = 1'000'000'000;
    return {time.count() / a_second, time.count() % a_second};
}

} // namespace

client::client(server_process& server, std::uint16_t port, speech how, std::chrono::milliseconds patience,
               std::optional<tls_client> secured)
    : server_(server), port_(port), how_(how), patience_(patience), secured_(std::move(secured)),
      last_byte_(clock::now()), events_(::epoll_create1(EPOLL_CLOEXEC))
{
    watch(server_.errors(), nullptr, false);
}

connection& client::open()
{
    return add(how_);
}

void client::close(connection& one)
{
    std::erase_if(all_, [&](const auto& each) { return each.get() == &one; });
}

connection& client::open_doomed()
{
    doomed_.push_back(&add(speech::unheard));
    return *doomed_.back();
}

connection& client::add(speech how)
{
    all_.push_back(std::make_unique<connection>(port_, how, secured_ ? &*secured_ : nullptr));
    watch(all_.back()->socket(), all_.back().get(), false);
    return *all_.back();
}

void client::watch(int socket, void* what, bool writes)
{
    epoll_event wanted{};
    wanted.events = EPOLLIN | (writes ? EPOLLOUT : 0u);
    wanted.data.ptr = what;
    if (::epoll_ctl(events_.get(), EPOLL_CTL_MOD, socket, &wanted) != 0 &&
        ::epoll_ctl(events_.get(), EPOLL_CTL_ADD, socket, &wanted) != 0)
        throw std::system_error(errno, std::generic_category(), "epoll_ctl");
}

void client::send(connection& to, std::string_view text)
{
    to.send(text);
    if (to.has_unsent())
        watch(to.socket(), &to, true);
}

void client::poll(std::chrono::nanoseconds time, const std::function<void(connection&)>& heard)
{
    epoll_event ready[most_events];
    const timespec limit = to_timespec(std::max(time, std::chrono::nanoseconds(0)));
    const int count = ::epoll_pwait2(events_.get(), ready, most_events, &limit, nullptr);
    if (count < 0 && errno != EINTR)
        throw std::system_error(errno, std::generic_category(), "epoll_pwait2");
    for (int i = 0; i < count; ++i) {
        if (ready[i].data.ptr)
            serve(*static_cast<connection*>(ready[i].data.ptr), ready[i].events, heard);
        else
            read_errors();
    }
}

void client::read_errors()
{
    if (!server_.read_errors() && server_.ends_within(std::chrono::milliseconds(100)))
        give_up("ended with " + server_.how_it_ended());
}

void client::serve(connection& one, unsigned events, const std::function<void(connection&)>& heard)
{
    if (events & EPOLLOUT) {
        one.send_more();
        if (!one.has_unsent())
            watch(one.socket(), &one, false);
    }
    if (!(events & ~unsigned(EPOLLOUT)))
        return;
    last_byte_ = clock::now();
    if (!one.read_some(inbox_))
        return lose(one);
    if (one.how() != speech::unheard)
        heard(one);
}

void client::lose(connection& one)
{
    if (std::erase(doomed_, &one) == 0)
        give_up("has closed a connection");
    close(one);
}

void client::run(const std::function<bool()>& done, const std::function<void(connection&)>& heard)
{
    last_byte_ = clock::now();
    while (!done()) {
        poll(patience_, heard);
        if (clock::now() >= last_byte_ + patience_)
            give_up("no byte for " + std::to_string(patience_.count() / 1000) + " s; the server is killed");
    }
}

void client::give_up(const std::string& why)
{
    server_.kill();
    throw failure(why);
}

} // namespace bench::http
