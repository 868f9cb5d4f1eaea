#pragma once

#include <partyline/session/lifecycle.hpp>

#include <cstdint>
#include <functional>
#include <utility>

namespace partyline::mcp {

/// What a client's session has to know of the era: from 2026-07-28 on clients answer nothing, whatever servers ask.
/// Otherwise what a server may ask is looked at where it is answered. And whether it ends with its session over HTTP,
/// and which notifications of extensions are of subscriptions that are open.
/// Thread safety: that of `lifecycle`; what changes it is called before the session runs, or on its executor.
class client_lifecycle final : public lifecycle {
public:
    /// Returns false for the id of a subscription that is not open, and is not being opened; 0 is none of ours.
    using subscription_check = std::function<bool(std::uint64_t id)>;

    ruling on_request(const message&, message_reader&) override { return {}; }
    ruling on_notification(const message& m, message_reader& reader) override;
    bool answers() const override { return answers_; }
    bool renews_session() const override { return renews_session_; }

    /// The server turned out to be a modern one.
    void stop_answering() noexcept { answers_ = false; }
    /// What the server knew of this client is to be told again where it has forgotten it.
    void end_with_session() noexcept { renews_session_ = false; }
    void ask_for_subscriptions(subscription_check by) noexcept { is_open_ = std::move(by); }

private:
    bool answers_ = true;
    bool renews_session_ = true;
    subscription_check is_open_;
};

} // namespace partyline::mcp
