#pragma once

#include <partyline/config.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {

// Records of the messages that a test client has seen.

/// The side that has sent a message.
enum class message_sender : std::uint8_t { client, server };

/// A message as it was sent.
struct seen_message {
    /// The sender.
    message_sender sender;
    /// The method; of an answer, that of its request.
    std::string method;
    /// The message, without its newline.
    std::string text;
};

/// The contents of one progress notification.
struct seen_progress {
    /// The name of the tool, the resource or the prompt that it is about, or the method of a request.
    std::string of;
    /// The progress so far.
    double done;
    /// The total, where it is known.
    std::optional<double> total;
    /// The message; empty where there was none.
    std::string message;
};

/// A question of a server.
struct seen_question {
    /// The key that its handler has given it.
    std::string key;
    /// "form", "page", "sampling" or "roots".
    std::string kind;
    /// The text of the question: of sampling, the texts of its messages; of roots, nothing.
    std::string message;
};

/// The changes that a server has told: the number for each list, and the resources.
struct seen_changes {
    /// How often the server has announced that the list of tools has changed.
    int tools = 0;
    /// How often the server has announced that the list of prompts has changed.
    int prompts = 0;
    /// How often the server has announced that the list of resources has changed.
    int resources = 0;
    /// The URIs of the resources whose changes the server has told, one for each time.
    std::vector<std::string> updated;
};

/// A server has asked a question for which the test has no answer, or none that fits. The text names the question and
/// says how to answer it.
class PARTYLINE_EXPORT unanswered_question : public std::runtime_error {
public:
    /// `text` is what `what()` returns.
    unanswered_question(seen_question asked, const std::string& text) : runtime_error(text), asked_(std::move(asked)) {}

    /// The question's key.
    const std::string& key() const noexcept { return asked_.key; }
    /// The question's text.
    const std::string& message() const noexcept { return asked_.message; }

private:
    seen_question asked_;
};

} // namespace partyline::mcp
