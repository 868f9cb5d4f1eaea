#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wire_client {

/// How messages are told apart on the wire: one a line, or by a header as in the language server protocol.
enum class framing { ndjson, content_length };

/// `message` as it goes over the wire, appended to `wire`.
void append_framed(std::string& wire, std::string_view message, framing how);

/// What a server has said, cut into messages but otherwise untouched until somebody looks.
class inbox {
public:
    explicit inbox(framing how) : how_(how) {}

    /// Has memory for so many bytes at hand, so that fetching it does not count as the server's time.
    void make_room(std::size_t bytes);
    /// Takes bytes as they arrive. Throws `failure` when they have no framing.
    void append(std::string_view bytes);

    /// How many messages are complete.
    std::size_t size() const noexcept { return messages_.size(); }
    std::string_view operator[](std::size_t index) const;
    std::size_t bytes() const noexcept { return text_.size(); }
    /// What has come since the last complete message.
    std::string_view rest() const { return std::string_view(text_).substr(begin_); }

    /// Forgets the first of the messages, or all that are complete.
    void drop_first() { messages_.erase(messages_.begin()); }
    void clear();

private:
    struct extent {
        std::size_t begin;
        std::size_t size;
    };
    void find_lines();
    void find_bodies();
    bool read_header();

    framing how_;
    std::string text_;
    std::vector<extent> messages_;
    std::size_t begin_ = 0;    // of the message that is not complete yet, or of its header
    std::size_t searched_ = 0; // up to here its end has been looked for
    std::size_t body_ = 0;     // where the message ends whose header is known; 0: none is
};

} // namespace wire_client
