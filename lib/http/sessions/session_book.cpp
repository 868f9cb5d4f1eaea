#include "http/sessions/session_book.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/random.h>

namespace partyline::http {

std::string session_book::make_id()
{
    constexpr std::size_t bytes = 16;
    unsigned char random[bytes];
    for (std::size_t have = 0; have != bytes;) {
        const ssize_t count = ::getrandom(random + have, bytes - have, 0);
        if (count < 0 && errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "no random numbers for a session's id");
        have += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    std::string id;
    unsigned bits = 0;
    int held = 0;
    for (const unsigned char byte : random) {
        bits = (bits << 8 | byte) & 0xfff;
        for (held += 8; held >= 5; held -= 5)
            id.push_back("abcdefghijklmnopqrstuvwxyz234567"[bits >> (held - 5) & 31]);
    }
    id.push_back("abcdefghijklmnopqrstuvwxyz234567"[bits << (5 - held) & 31]);
    return id;
}

std::shared_ptr<mcp_session> session_book::find(std::string_view id) const noexcept
{
    const auto found = sessions_.find(id);
    return found == sessions_.end() || found->second->has_ended() ? nullptr : found->second;
}

bool session_book::make_room() noexcept
{
    if (sessions_.size() < most_.sessions)
        return true;
    std::shared_ptr<mcp_session> oldest;
    for (const auto& [id, one] : sessions_) {
        if (one->is_idle() && (!oldest || one->last_use() < oldest->last_use()))
            oldest = one;
    }
    if (oldest)
        end(oldest);
    return oldest != nullptr;
}

void session_book::add(std::shared_ptr<mcp_session> one)
{
    sessions_.emplace(one->id(), std::move(one));
}

void session_book::end(const std::shared_ptr<mcp_session>& one) noexcept
{
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): it may be the book's own
    const std::shared_ptr<mcp_session> hold = one;
    sessions_.erase(hold->id());
    hold->end();
}

void session_book::on_tick(clock::time_point now)
{
    for (auto next = sessions_.begin(); next != sessions_.end();) {
        const std::shared_ptr<mcp_session> one = next++->second;
        if (one->has_ended() || (one->is_idle() && now - one->last_use() > most_.idle))
            end(one);
        else
            one->on_tick(now);
    }
}

void session_book::end_all() noexcept
{
    while (!sessions_.empty())
        end(sessions_.begin()->second);
}

} // namespace partyline::http
