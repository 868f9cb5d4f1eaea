#pragma once

#include "gateway/either_protocol.hpp"
#include "gateway/peer_member.hpp"
#include "gateway/told_revision.hpp"

#include <partyline/mcp/profile.hpp>
#include <partyline/mcp/revision.hpp>
#include <partyline/session/lifecycle.hpp>
#include <partyline/session/profile.hpp>
#include <partyline/session/session_link.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace gateway {

/// The protocol on both sides of a relay.
enum class protocol : std::uint8_t {
    plain,
    mcp,
    either ///< the client's first request says which of them
};

/// The way to a client's session, once there is one.
struct client_link {
    std::shared_ptr<partyline::session_link> link;
    /// Where that is open: what is to be done when the client turns out to speak MCP.
    std::function<void()> on_mcp = {};
    /// What is to be done when the client may call other things than before, and for whom.
    std::map<const void*, std::function<void()>> on_access_changed = {};
    /// What the handshake has agreed about, where there was one.
    std::optional<partyline::mcp::revision> revision = {};
};

/// Lets everything pass but what says who has sent it, and keeps the way to the session.
class relay_lifecycle final : public partyline::lifecycle {
public:
    explicit relay_lifecycle(std::shared_ptr<client_link> to) : to_(std::move(to)) {}

    void on_attached(std::shared_ptr<partyline::session_link> own) override { to_->link = std::move(own); }
    partyline::ruling on_request(const partyline::message& m, partyline::message_reader& reader) override
    {
        if (has_peer_member(m.params))
            return refusal(partyline::ruling_action::refuse);
        if (!to_->on_mcp || m.method == "ping") // which MCP allows before its handshake
            return {};
        if (const auto on_mcp = std::exchange(to_->on_mcp, nullptr); begins_mcp(m, reader))
            on_mcp();
        return {};
    }
    partyline::ruling on_notification(const partyline::message& m, partyline::message_reader&) override
    {
        return has_peer_member(m.params) ? refusal(partyline::ruling_action::drop) : partyline::ruling();
    }

    std::string_view protocol_version(const partyline::message& m, partyline::message_reader&) const override
    {
        const std::optional<partyline::mcp::revision> told = revision_of(m.params);
        const std::optional<partyline::mcp::revision>& known = told ? told : to_->revision;
        return known ? to_string(*known) : std::string_view();
    }

    void on_access_changed(const partyline::access_view*, const partyline::access_view*) override
    {
        for (const auto& [who, told] : to_->on_access_changed)
            told();
    }

private:
    static partyline::ruling refusal(partyline::ruling_action how)
    {
        partyline::ruling made;
        made.action = how;
        made.error = peer_member_refusal();
        return made;
    }

    std::shared_ptr<client_link> to_;
};

/// A protocol for one session, whose lifecycle keeps the way to the session.
template <class Protocol>
class linked_profile final : public Protocol {
public:
    explicit linked_profile(std::shared_ptr<client_link> to) : to_(std::move(to)) {}
    std::shared_ptr<partyline::lifecycle> make_lifecycle() const override
    {
        return std::make_shared<relay_lifecycle>(to_);
    }

private:
    std::shared_ptr<client_link> to_;
};

/// The profile of a relay's session, and the way to the session.
class relay_profile {
public:
    explicit relay_profile(protocol speaks) : plain_(link_), mcp_(link_), either_(link_), speaks_(speaks)
    {
        if (speaks == protocol::either)
            on_mcp([] {});
    }
    relay_profile(const relay_profile&) = delete;
    relay_profile& operator=(const relay_profile&) = delete;

    operator const partyline::profile&() const noexcept
    {
        if (speaks_ == protocol::either)
            return either_;
        return speaks_ == protocol::mcp ? static_cast<const partyline::profile&>(mcp_) : plain_;
    }
    /// Has that called when a client of which it was not known turns out to speak MCP.
    void on_mcp(std::function<void()> told)
    {
        link_->on_mcp = [this, told = std::move(told)] {
            either_.become_mcp();
            told();
        };
    }
    /// Has that called when the client may call other things than before, until `who` is forgotten. It makes and
    /// forgets nobody.
    void on_access_changed(const void* who, std::function<void()> told)
    {
        link_->on_access_changed.emplace(who, std::move(told));
    }
    void forget(const void* who) noexcept { link_->on_access_changed.erase(who); }
    protocol speaks() const noexcept { return speaks_; }
    /// Whether the client is known to speak MCP.
    bool is_mcp() const noexcept
    {
        return speaks_ == protocol::mcp || (speaks_ == protocol::either && either_.is_mcp());
    }
    /// The client was greeted by this result.
    void note_greeted(const partyline::json_text& result) { link_->revision = greeted_revision(result); }
    /// The revision of MCP that the handshake has agreed about; empty where there was none.
    std::string_view revision() const noexcept
    {
        return link_->revision ? to_string(*link_->revision) : std::string_view();
    }
    /// Null before there is a session.
    const std::shared_ptr<partyline::session_link>& link() const noexcept { return link_->link; }

private:
    std::shared_ptr<client_link> link_ = std::make_shared<client_link>();
    linked_profile<partyline::profile> plain_;
    linked_profile<partyline::mcp::base_protocol> mcp_;
    linked_profile<either_protocol> either_;
    protocol speaks_;
};

} // namespace gateway
