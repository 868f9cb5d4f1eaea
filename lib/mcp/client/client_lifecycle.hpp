#pragma once

#include <partyline/session/lifecycle.hpp>

namespace partyline::mcp {

/// What a client's session has to know of the era: from 2026-07-28 on clients answer nothing, whatever servers ask.
/// Otherwise what a server may ask is looked at where it is answered.
class client_lifecycle final : public lifecycle {
public:
    ruling on_request(const message&, message_reader&) override { return {}; }
    ruling on_notification(const message&, message_reader&) override { return {}; }
    bool answers() const override { return answers_; }

    /// The server turned out to be a modern one.
    void stop_answering() noexcept { answers_ = false; }

private:
    bool answers_ = true;
};

} // namespace partyline::mcp
