#pragma once

#include "inbox.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace wire_client {

/// Cuts what a server says over one connection into responses, and their bodies into messages: the body as a whole, or
/// each event of an event stream.
///
/// It is no judge of HTTP: what it does not understand, and every status but success, is a `failure`.
class reply_reader {
public:
    /// Takes bytes as they arrive; each message in them becomes a line of `into`.
    void append(std::string_view bytes, inbox& into);

    /// How many heads have come, and how many responses that are complete.
    std::size_t heads() const noexcept { return heads_; }
    std::size_t responses() const noexcept { return responses_; }
    /// The session that the server has begun; empty: none.
    const std::string& session() const noexcept { return session_; }

private:
    enum class part { head, body, chunk_size, chunk, chunk_end, trailer };

    bool take_some(inbox& into);
    bool take_head(inbox& into);
    bool take_line(std::string_view& line);
    bool take_chunk_size();
    bool take_chunk_end();
    bool take_trailer(inbox& into);
    bool take_body(inbox& into);
    void take_content(std::string_view bytes, inbox& into);
    void take_events(inbox& into);
    void end_response(inbox& into);
    void check_status(std::string_view head) const;

    std::string text_;
    std::size_t begin_ = 0; // of what has not been taken yet
    part next_ = part::head;
    std::size_t left_ = 0; // of the body or the chunk
    bool is_chunked_ = false;
    bool is_stream_ = false;
    std::string content_; // of a body that is not complete, or of an event
    std::string session_;
    std::size_t heads_ = 0;
    std::size_t responses_ = 0;
};

} // namespace wire_client
