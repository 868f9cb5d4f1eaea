#pragma once

#include "http/client/client_request.hpp"

#include <partyline/protocol/message.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace partyline::http {

/// What a client remembers of its session with a server of the handshake's era, so that it can begin it again: the server may lose
/// it, by a restart or after a time.
/// Thread safety: none.
class client_session {
public:
    /// The server's; empty where there is none.
    const std::string& id() const noexcept { return id_; }
    bool has_begun() const noexcept { return !revision_.empty(); }
    bool is_initialized() const noexcept { return is_initialized_; }
    /// `initialize`, as it was sent; and as it is sent again, by an id of its own.
    void note_greeting(std::string text);
    const std::string& greeting() const noexcept { return greeting_; }
    /// It was answered by these.
    void note_id(std::string_view id) { id_ = id; }
    void note_reply(message_reader& reader, const std::string& text);
    void note_initialized() noexcept { is_initialized_ = true; }

    /// The fields that go with each message of it.
    std::vector<field_text> fields() const;

private:
    std::string id_;
    std::string revision_; // that the server has chosen
    std::string greeting_;
    bool is_initialized_ = false;
};

} // namespace partyline::http
