#pragma once

#include <partyline/mcp/content.hpp>

#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {

/// One message of a prompt.
struct prompt_message {
    /// Who says it.
    mcp::role role = mcp::role::user;
    /// What is said.
    mcp::content content;

    /// What the user says.
    static prompt_message user(mcp::content said) { return {mcp::role::user, std::move(said)}; }
    /// What the model says.
    static prompt_message assistant(mcp::content said) { return {mcp::role::assistant, std::move(said)}; }
};

/// What a prompt comes to. Handlers may return one message, or several, or this.
struct prompt_result {
    /// In their order.
    std::vector<prompt_message> messages;
    /// What this prompt is for; left out when empty.
    std::string description = {};

    prompt_result() = default;
    /// One message.
    prompt_result(prompt_message only) { messages.push_back(std::move(only)); }
    /// Several messages.
    prompt_result(std::vector<prompt_message> all) noexcept : messages(std::move(all)) {}
};

} // namespace partyline::mcp
