#include "client.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/epoll.h>

namespace bench {
namespace {

using std::chrono::milliseconds;

constexpr int most_events = 256;
constexpr int longest_of_all = 30; // times `patience`
constexpr std::size_t flood = std::size_t(64) << 20;

timespec to_timespec(std::chrono::nanoseconds time)
{
    constexpr std::int64_t a_second = 1'000'000'000;
    return {time.count() / a_second, time.count() % a_second};
}

std::string in_seconds(milliseconds time)
{
    std::string text = std::to_string(time.count() / 1000);
    if (time.count() % 1000 != 0)
        text += "." + std::to_string(time.count() % 1000 / 100);
    return text + " s";
}

} // namespace

client::client(server_process& server, framing how, milliseconds patience)
    : server_(server), inbox_(how), patience_(patience), events_(::epoll_create1(EPOLL_CLOEXEC))
{
    watch(server_.errors(), nullptr, EPOLLIN);
}

connection& client::open_streams()
{
    return add(std::make_unique<connection>(server_.input(), server_.output()));
}

connection& client::open(std::uint16_t port, speech how, const tls_client* secured)
{
    return add(std::make_unique<connection>(port, how, secured));
}

connection& client::open_doomed(std::uint16_t port, const tls_client* secured)
{
    doomed_.push_back(&open(port, speech::unheard, secured));
    return *doomed_.back();
}

void client::close(connection& one)
{
    std::erase_if(all_, [&](const auto& each) { return each.get() == &one; });
}

connection& client::add(std::unique_ptr<connection> made)
{
    watch(made->socket(), made.get(), EPOLLIN);
    return *all_.emplace_back(std::move(made));
}

void client::watch(int descriptor, connection* what, unsigned events)
{
    epoll_event wanted{};
    wanted.events = events;
    wanted.data.ptr = what;
    if (::epoll_ctl(events_.get(), EPOLL_CTL_MOD, descriptor, &wanted) != 0 &&
        ::epoll_ctl(events_.get(), EPOLL_CTL_ADD, descriptor, &wanted) != 0)
        throw std::system_error(errno, std::generic_category(), "epoll_ctl");
}

// A pipe that is not to be written to is not watched at all: that nobody reads from it would show each time.
void client::watch_writing(connection& one, bool wants)
{
    if (one.writing_end() == one.socket())
        watch(one.socket(), &one, EPOLLIN | (wants ? EPOLLOUT : 0u));
    else if (wants)
        watch(one.writing_end(), &one, EPOLLOUT);
    else
        ::epoll_ctl(events_.get(), EPOLL_CTL_DEL, one.writing_end(), nullptr);
}

void client::send(connection& to, std::string_view text)
{
    sent_bytes_ += text.size();
    to.send(text);
    if (to.has_unsent())
        watch_writing(to, true);
    check_taken(to);
}

void client::poll(std::chrono::nanoseconds time, const std::function<void(connection&)>& heard)
{
    epoll_event ready[most_events];
    const timespec limit = to_timespec(std::max(time, std::chrono::nanoseconds(0)));
    const int count = ::epoll_pwait2(events_.get(), ready, most_events, &limit, nullptr);
    if (count < 0 && errno != EINTR)
        throw std::system_error(errno, std::generic_category(), "epoll_pwait2");
    for (int i = 0; i < count; ++i) {
        if (i + 1 < count && ready[i].data.ptr == ready[i + 1].data.ptr)
            ready[i + 1].events |= ready[i].events; // both ends of standard streams
        else if (ready[i].data.ptr)
            serve(*static_cast<connection*>(ready[i].data.ptr), ready[i].events, heard);
        else
            server_.read_errors();
    }
}

// Standard streams are read from and written to each time: a pipe says that it takes more only when a page is free.
void client::serve(connection& one, unsigned events, const std::function<void(connection&)>& heard)
{
    last_byte_ = clock::now();
    const bool reads = (events & ~unsigned(EPOLLOUT)) || one.how() == speech::streams;
    if (reads && !one.read_some(inbox_))
        return lose(one);
    check_flood();
    if (one.has_unsent()) {
        one.send_more();
        if (!one.has_unsent())
            watch_writing(one, false);
        check_taken(one);
    }
    if (reads && one.how() != speech::unheard)
        heard(one);
}

// What the server has said before counts. Over a port, reading tells that the connection is closed.
void client::check_taken(connection& one)
{
    if (!one.is_refused() || one.how() != speech::streams)
        return;
    one.read_some(inbox_);
    report_end("does not read its input any more");
}

void client::lose(connection& one)
{
    if (is_ending_)
        has_ended_ = true;
    else if (std::erase(doomed_, &one) != 0)
        close(one);
    else
        report_end(one.how() == speech::streams ? "has closed its output" : "has closed a connection");
}

void client::run(std::size_t messages, const std::function<bool()>& done, const std::function<void(connection&)>& heard)
{
    asked_ = messages;
    wanted_ = inbox_.size() + messages;
    last_byte_ = clock::now();
    while (!done()) {
        poll(last_byte_ + patience_ + extra_patience_ - clock::now(), heard);
        check_time();
    }
}

void client::end_input()
{
    server_.close_input();
    is_ending_ = true;
    const std::size_t before = inbox_.size();
    run(0, [this] { return has_ended_; });
    if (inbox_.size() > before || !inbox_.rest().empty())
        throw failure("has said more than it was asked: " +
                      quote(inbox_.size() > before ? inbox_[before] : inbox_.rest()));
    if (!server_.ends_within(patience_))
        throw failure("has closed its output, but did not end within " + in_seconds(patience_) +
                      " after the end of its input; it is killed");
    if (!server_.has_ended_well())
        throw failure("ended with " + server_.how_it_ended() + " after the end of its input, expected exit code 0");
}

void client::check_time()
{
    const auto now = clock::now();
    if (now >= last_byte_ + patience_ + extra_patience_) {
        const std::string silence = "no byte for " + in_seconds(patience_ + extra_patience_);
        give_up(silence + (is_ending_ ? " after the end of its input" : missing()) + "; the server is killed");
    }
    const milliseconds limit = longest_of_all * patience_ + extra_patience_;
    if (now >= begin_ + limit)
        give_up("not done after " + in_seconds(limit) + missing() + "; the server is killed");
}

// A server that talks without end is not to fill the memory.
void client::check_flood()
{
    if (inbox_.bytes() > flood + 4 * sent_bytes_)
        give_up("has said " + grouped(inbox_.bytes()) + " bytes, far more than it was asked" + missing());
}

std::string client::missing() const
{
    if (inbox_.size() < wanted_)
        return " with " + grouped(wanted_ - inbox_.size()) + " of " + grouped(asked_) + " replies missing";
    std::size_t unread = 0;
    for (const auto& each : all_)
        unread += each->unsent_bytes();
    return unread == 0 ? "" : " with " + grouped(unread) + " bytes unread";
}

void client::report_end(const std::string& what)
{
    if (!server_.ends_within(std::min(patience_, milliseconds(1000))))
        give_up(what + missing() + "; the server is killed");
    if (server_.was_not_found() && inbox_.bytes() == 0)
        give_up("cannot be started: " + server_.how_it_ended());
    give_up("ended with " + server_.how_it_ended() + missing());
}

void client::give_up(const std::string& why)
{
    server_.kill();
    throw failure(why);
}

} // namespace bench
