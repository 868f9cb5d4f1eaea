#include "http/sessions/session_table.hpp"

#include "protocol/json/fill_random.hpp"

#include <stdexcept>
#include <utility>

#include <openssl/evp.h>

namespace partyline::http {

std::string session_table::make_id(std::string_view node)
{
    unsigned char random[16];
    fill_random(random, sizeof random);
    std::string id(node);
    if (!node.empty())
        id.push_back('.');
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

std::string session_table::digest_of(std::string_view id)
{
    return digest_of(id, 8);
}

std::string session_table::name_in_store(std::string_view id)
{
    std::string name = digest_of(id, 32);
    if (name.empty())
        throw std::runtime_error("no SHA-256 for a session's name in the event store");
    return name;
}

std::string session_table::digest_of(std::string_view id, std::size_t bytes)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    if (EVP_Digest(id.data(), id.size(), digest, nullptr, EVP_sha256(), nullptr) != 1)
        return {};
    std::string text;
    for (std::size_t i = 0; i != bytes; ++i) {
        text.push_back("0123456789abcdef"[digest[i] >> 4]);
        text.push_back("0123456789abcdef"[digest[i] & 15]);
    }
    return text;
}

std::shared_ptr<mcp_session> session_table::find(std::string_view id) const noexcept
{
    const auto found = sessions_.find(id);
    return found == sessions_.end() || found->second->has_ended() ? nullptr : found->second;
}

bool session_table::make_room(std::size_t bytes) noexcept
{
    if (bytes > most_bytes_)
        return false;
    while (sessions_.size() >= most_.sessions || bytes_ > most_bytes_ - bytes) {
        if (idle_.empty())
            return false;
        end(idle_.next_to_leave().shared_from_this());
    }
    return true;
}

void session_table::add(std::shared_ptr<mcp_session> one)
{
    mcp_session& added = *one;
    sessions_.emplace(added.id(), std::move(one));
    bytes_ += added.bytes();
    added.enter_idle(idle_);
}

void session_table::end(const std::shared_ptr<mcp_session>& one) noexcept
{
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): it may be the table's own
    const std::shared_ptr<mcp_session> hold = one;
    if (sessions_.erase(hold->id()) != 0) {
        bytes_ -= hold->bytes();
        hold->leave_idle();
    }
    hold->end();
}

void session_table::on_tick(clock::time_point now)
{
    while (!idle_.empty() && (idle_.oldest().has_ended() || now - idle_.oldest().last_use() > most_.idle))
        end(idle_.oldest().shared_from_this());
}

// Others may come and go while one is changed or ended.
void session_table::renew_grants(access_control& access, std::chrono::system_clock::time_point now) noexcept
{
    for (auto at = sessions_.begin(); at != sessions_.end();) {
        const std::shared_ptr<mcp_session> one = at->second;
        const mcp_session::renewal how = one->renew_grant(access, now);
        if (how == mcp_session::renewal::same) {
            ++at;
            continue;
        }
        if (how == mcp_session::renewal::revoked)
            end(one);
        at = sessions_.upper_bound(one->id());
    }
}

void session_table::end_all() noexcept
{
    while (!sessions_.empty())
        end(sessions_.begin()->second);
}

} // namespace partyline::http
