#pragma once

#include "http/serve/exchange.hpp"
#include "http/sessions/session_stream.hpp"

#include <memory>

namespace partyline::http {

class mcp_session;

/// Sends a stream of a session over one connection: the answer to a GET, or to the POST that it belongs to. A later
/// reader of the same stream takes over: this one ends.
class stream_reader final : public exchange {
public:
    stream_reader(std::shared_ptr<mcp_session> of, std::shared_ptr<session_stream> from, reply_sink& line,
                  const response_style& style);
    ~stream_reader() override;
    stream_reader(const stream_reader&) = delete;
    stream_reader& operator=(const stream_reader&) = delete;

    /// It ends, before its stream does.
    void end();
    bool has_ended() const noexcept { return has_ended_; }
    /// The response has begun already: what is written next is the stream itself.
    void note_begun() noexcept { has_begun_ = true; }
    void flush() { line_.flush(); }

    // exchange
    progress produce(byte_buffer& out) override;
    void write_comment(byte_buffer& out) override { chunks_.append_comment(out); }
    bool is_event_stream() const noexcept override { return true; }
    void drain() override { end(); }
    void end_stream() override { end(); }

private:
    void begin(byte_buffer& out);

    std::shared_ptr<mcp_session> session_;
    std::shared_ptr<session_stream> stream_;
    reply_sink& line_;
    response_style style_;
    chunk_writer chunks_;
    bool has_begun_ = false;
    bool has_ended_ = false;
};

} // namespace partyline::http
