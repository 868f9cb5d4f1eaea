#pragma once

#include <partyline/protocol/byte_buffer.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

/// What a response owes to the request and the connection that it is for.
struct response_style {
    bool is_for_http_1_0 = false;
    bool closes = false;      // the connection, when it has been sent
    bool is_for_head = false; // it has no body
    std::string fields = {};  // of its own, each with its line end: CORS
};

/// What is in front of a body.
struct response_head {
    int status = 200;
    std::string_view type = {};             // of the body; empty: there is none
    std::optional<std::size_t> length = {}; // without: it is sent in chunks, or to the end of the connection
    std::string_view fields = {};           // others, each with its line end
    std::string_view date = {};             // as HTTP writes it; empty: not told
};

void append_head(byte_buffer& out, const response_head& head, const response_style& style);
/// An answer with which the connection goes on by another protocol.
void append_upgrade_head(byte_buffer& out, std::string_view fields, std::string_view date);
/// In front of a stream of events, which no proxy is to keep back.
void append_event_stream_head(byte_buffer& out, const response_style& style, std::string_view fields,
                              std::string_view date);

/// Chunks of a body without a known length, as far as the client takes them; else what is to be sent is all there is.
class chunk_writer {
public:
    explicit chunk_writer(const response_style& style) noexcept : is_chunked_(!style.is_for_http_1_0) {}

    /// Between the two, what is appended to `out` is the content of a chunk. A chunk of nothing is left out.
    void begin(byte_buffer& out);
    void end(byte_buffer& out);
    /// One that clients make nothing of.
    void append_comment(byte_buffer& out);
    /// There are no more.
    void finish(byte_buffer& out) const;

private:
    bool is_chunked_;
    std::size_t start_ = 0;
};

} // namespace partyline::http
