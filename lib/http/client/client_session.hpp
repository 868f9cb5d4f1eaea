#pragma once

#include "http/connections/client_request.hpp"

#include <partyline/protocol/message.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::http {

/// What a client remembers of its session with a server of the handshake's era, so that it can begin it again: the
/// server may lose it, by a restart or after a time.
/// Thread safety: none.
class client_session {
public:
    /// The server's; empty where there is none.
    const std::string& id() const noexcept { return id_; }
    bool has_begun() const noexcept { return !revision_.empty(); }
    bool is_initialized() const noexcept { return is_initialized_; }
    /// `initialize`, as it was sent, and is sent again. The session that there is stays until it was answered.
    void note_greeting(std::string text) { greeting_ = std::move(text); }
    const std::string& greeting() const noexcept { return greeting_; }
    /// It was answered by this head, and by that reply: from then on it is another session. False: that is none.
    void note_head(const received_head& head) { offered_id_ = head.find("mcp-session-id"); }
    bool note_reply(message_reader& reader, const std::string& text);
    void note_initialized() noexcept { is_initialized_ = true; }

    /// The fields that go with each message of it.
    std::vector<field_text> fields() const;

private:
    std::string id_;
    std::string offered_id_; // while the reply is still to come
    std::string revision_;   // that the server has chosen
    std::string greeting_;
    bool is_initialized_ = false;
};

} // namespace partyline::http
