#pragma once

#include <partyline/config.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {

// What a test client has seen.

/// Which side has sent a message.
enum class message_sender : std::uint8_t { client, server };

/// A message as it was sent.
struct seen_message {
    /// Who has sent it.
    message_sender sender;
    /// Of an answer: that of its request.
    std::string method;
    /// The message, without its newline.
    std::string text;
};

/// What one progress notification told.
struct seen_progress {
    /// The name of the tool, the resource or the prompt that it is about, or the method of a request.
    std::string of;
    /// What is done by then.
    double done;
    /// Of how much, where that is known.
    std::optional<double> total;
    /// Empty where there was none.
    std::string message;
};

/// What a server has asked.
struct seen_question {
    /// The key that its handler has given it.
    std::string key;
    /// "form", "page", "sampling" or "roots".
    std::string kind;
    /// What it says; of sampling the texts of its messages, of roots nothing.
    std::string message;
};

/// What a server has told of changes: how often of its lists, and which resources.
struct seen_changes {
    /// How often it has told that the list of tools has changed.
    int tools = 0;
    /// The same of prompts.
    int prompts = 0;
    /// The same of resources.
    int resources = 0;
    /// The URIs that it has named, one each time.
    std::vector<std::string> updated;
};

/// A server has asked what the test has no answer for, or none that fits. The text says what, and how to answer it.
class PARTYLINE_EXPORT unanswered_question : public std::runtime_error {
public:
    /// `text` is what `what()` returns.
    unanswered_question(seen_question asked, const std::string& text) : runtime_error(text), asked_(std::move(asked)) {}

    /// The question's key.
    const std::string& key() const noexcept { return asked_.key; }
    /// What it says.
    const std::string& message() const noexcept { return asked_.message; }

private:
    seen_question asked_;
};

} // namespace partyline::mcp
