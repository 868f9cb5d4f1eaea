#pragma once

#include "http/connections/client_request.hpp"

#include <partyline/protocol/message.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::http {

/// What a client knows of its session with a server of the handshake's era, so that it can begin the session again: the
/// server may lose it by a restart or after some time.
/// Thread safety: none.
class client_session {
public:
    /// The session's id, chosen by the server; empty without one.
    const std::string& id() const noexcept { return id_; }
    bool has_begun() const noexcept { return !revision_.empty(); }
    bool is_initialized() const noexcept { return is_initialized_; }
    /// Keeps `initialize` as it is sent, to be sent again. A session that exists already is valid until the answer.
    void note_greeting(std::string text) { greeting_ = std::move(text); }
    const std::string& greeting() const noexcept { return greeting_; }
    /// `initialize` was answered with this head, then with that reply, which begins the session. False: the reply does
    /// not.
    void note_head(const received_head& head) { offered_id_ = head.find("mcp-session-id"); }
    bool note_reply(message_reader& reader, const std::string& text);
    void note_initialized() noexcept { is_initialized_ = true; }

    /// The fields of each message in the session. Before the reply these are answers to what the server asks ahead of
    /// it, such as pings, with the id that it has offered.
    std::vector<field_text> fields() const;

private:
    std::string id_;
    std::string offered_id_; // until the reply
    std::string revision_;   // chosen by the server
    std::string greeting_;
    bool is_initialized_ = false;
};

} // namespace partyline::http
