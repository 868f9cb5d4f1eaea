#pragma once

#include <partyline/mcp/content.hpp>

#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {

/// One message of a prompt.
struct prompt_message {
    mcp::role role = mcp::role::user;
    mcp::content content;

    static prompt_message user(mcp::content said) { return {mcp::role::user, std::move(said)}; }
    static prompt_message assistant(mcp::content said) { return {mcp::role::assistant, std::move(said)}; }
};

/// What a prompt comes to. Handlers may return one message, or several, or this.
struct prompt_result {
    std::vector<prompt_message> messages;
    std::string description = {};

    prompt_result() = default;
    prompt_result(prompt_message only) { messages.push_back(std::move(only)); }
    prompt_result(std::vector<prompt_message> all) noexcept : messages(std::move(all)) {}
};

} // namespace partyline::mcp
