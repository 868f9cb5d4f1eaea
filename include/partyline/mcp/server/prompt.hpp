#pragma once

#include <partyline/mcp/content.hpp>

#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {

/// One message of a prompt.
struct prompt_message {
    /// The author of the message.
    mcp::role role = mcp::role::user;
    /// The content of the message.
    mcp::content content;

    /// Makes a message of the user.
    static prompt_message user(mcp::content said) { return {mcp::role::user, std::move(said)}; }
    /// Makes a message of the model.
    static prompt_message assistant(mcp::content said) { return {mcp::role::assistant, std::move(said)}; }
};

/// The result of a prompt. Handlers may return one message, or several, or this.
struct prompt_result {
    /// The messages, in order.
    std::vector<prompt_message> messages;
    /// The description of the prompt; left out when empty.
    std::string description = {};

    prompt_result() = default;
    /// One message.
    prompt_result(prompt_message only) { messages.push_back(std::move(only)); }
    /// Several messages.
    prompt_result(std::vector<prompt_message> all) noexcept : messages(std::move(all)) {}
};

} // namespace partyline::mcp
