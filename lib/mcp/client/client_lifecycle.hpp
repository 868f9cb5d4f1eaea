#pragma once

#include <partyline/session/lifecycle.hpp>

namespace partyline::mcp {

/// What a client's session has to know of the era: from 2026-07-28 on clients answer nothing, whatever servers ask.
/// Otherwise what a server may ask is looked at where it is answered. And whether it ends with its session over HTTP.
/// Thread safety: that of `lifecycle`; what changes it is called before the session runs, or on its executor.
class client_lifecycle final : public lifecycle {
public:
    ruling on_request(const message&, message_reader&) override { return {}; }
    ruling on_notification(const message&, message_reader&) override { return {}; }
    bool answers() const override { return answers_; }
    bool renews_session() const override { return renews_session_; }

    /// The server turned out to be a modern one.
    void stop_answering() noexcept { answers_ = false; }
    /// What the server knew of this client is to be told again where it has forgotten it.
    void end_with_session() noexcept { renews_session_ = false; }

private:
    bool answers_ = true;
    bool renews_session_ = true;
};

} // namespace partyline::mcp
