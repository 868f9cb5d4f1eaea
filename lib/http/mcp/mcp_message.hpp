#pragma once

#include <partyline/protocol/message.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::http {

/// What the transport has to know of a message that a client of MCP has posted.
struct mcp_message {
    message_type type = message_type::bad;
    std::string id; // its exact text
    std::string method;
    /// A request that begins a session.
    bool begins_session = false;
    /// It says itself of which revision it is: as of 2026-07-28.
    bool is_modern = false;
    std::string version; // that it says
    /// It says what a request of 2026-07-28 has to say.
    bool has_envelope = false;
    /// Of a request for something that has a name, that: a tool's, a prompt's, a resource's URI.
    std::string name;
    bool has_name = false;
};

/// Reads it. It need not be a message.
mcp_message read_mcp_message(message_reader& reader, const std::string& text);

} // namespace partyline::http
