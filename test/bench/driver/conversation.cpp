#include "conversation.hpp"

#include "wire.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <poll.h>

namespace bench {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t read_size = 65536;
constexpr int longest_of_all = 30; // times `patience`
constexpr std::size_t flood = std::size_t(64) << 20;

std::string in_seconds(milliseconds time)
{
    std::string text = std::to_string(time.count() / 1000);
    if (time.count() % 1000 != 0)
        text += "." + std::to_string(time.count() % 1000 / 100);
    return text + " s";
}

} // namespace

conversation::conversation(server_process& server, framing how, milliseconds patience)
    : server_(server), inbox_(how), patience_(patience), begin_(clock::now()), last_byte_(begin_)
{
}

void conversation::exchange(std::string_view text, std::size_t messages)
{
    unsent_ = text;
    asked_ = messages;
    wanted_ = inbox_.size() + messages;
    last_byte_ = clock::now();
    for (;;) {
        write_some();
        if (unsent_.empty() && inbox_.size() >= wanted_)
            return;
        if (has_ended_)
            give_up(end_of_server());
        wait();
        read_some();
    }
}

void conversation::end()
{
    server_.close_input();
    is_ending_ = true;
    last_byte_ = clock::now();
    const std::size_t before = inbox_.size();
    while (!has_ended_) {
        wait();
        read_some();
    }
    if (inbox_.size() > before)
        throw failure("has said more than it was asked: " + quote(inbox_[before]));
    if (!inbox_.rest().empty())
        throw failure("has said more than it was asked: " + quote(inbox_.rest()));
    if (!server_.ends_within(patience_))
        throw failure("has closed its output, but did not end within " + in_seconds(patience_) +
                      " after the end of its input; it is killed");
    if (!server_.has_ended_well())
        throw failure("ended with " + server_.how_it_ended() + " after the end of its input, expected exit code 0");
}

// As much as fits; the rest when it has been read.
void conversation::write_some()
{
    if (unsent_.empty())
        return;
    const ssize_t count = ::write(server_.input(), unsent_.data(), unsent_.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (count < 0)
        give_up(errno == EPIPE ? end_of_server() : "cannot be written to: " + std::generic_category().message(errno));
    sent_bytes_ += static_cast<std::size_t>(count);
    last_byte_ = clock::now();
    unsent_.remove_prefix(static_cast<std::size_t>(count));
}

void conversation::read_some()
{
    char buffer[read_size];
    const ssize_t count = ::read(server_.output(), buffer, sizeof buffer);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    has_ended_ = count <= 0; // a socket may tell a reset
    if (count <= 0)
        return;
    last_byte_ = clock::now();
    inbox_.append(std::string_view(buffer, static_cast<std::size_t>(count)));
    check_flood();
}

// Until there is something to read, or room to write when there is something to write.
void conversation::wait()
{
    pollfd entries[] = {{server_.output(), POLLIN, 0},
                        {server_.errors(), POLLIN, 0},
                        {unsent_.empty() ? -1 : server_.input(), POLLOUT, 0}};
    const auto left = std::chrono::ceil<milliseconds>(last_byte_ + patience_ + extra_patience_ - clock::now());
    const int ready = ::poll(entries, std::size(entries), std::max(0, static_cast<int>(left.count())));
    if (ready < 0 && errno != EINTR)
        throw std::system_error(errno, std::generic_category(), "poll");
    if (ready > 0 && entries[1].revents != 0)
        server_.read_errors();
    check_time();
}

void conversation::check_time()
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
void conversation::check_flood()
{
    if (inbox_.bytes() > flood + 4 * sent_bytes_)
        give_up("has said " + grouped(inbox_.bytes()) + " bytes, far more than it was asked" + missing());
}

std::string conversation::missing() const
{
    if (inbox_.size() >= wanted_)
        return unsent_.empty() ? "" : " with " + grouped(unsent_.size()) + " bytes unread";
    return " with " + grouped(wanted_ - inbox_.size()) + " of " + grouped(asked_) + " replies missing";
}

std::string conversation::end_of_server()
{
    if (!server_.ends_within(std::min(patience_, milliseconds(1000))))
        return (has_ended_ ? "has closed its output" : "does not read its input any more") + missing() +
               "; the server is killed";
    if (server_.was_not_found() && inbox_.bytes() == 0)
        return "cannot be started: " + server_.how_it_ended();
    return "ended with " + server_.how_it_ended() + missing();
}

void conversation::give_up(const std::string& why)
{
    server_.kill();
    throw failure(why);
}

} // namespace bench
