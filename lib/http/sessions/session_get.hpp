#pragma once

#include "http/sessions/stream_reader.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace partyline::http {

/// The answer to a GET: a stream of the session, from an event on.
class session_get final : public exchange {
public:
    session_get(std::shared_ptr<mcp_session> of, std::shared_ptr<session_stream> from, reply_line& line,
                const response_style& style)
        : reader_(std::in_place, std::move(of), std::move(from), line, style)
    {
    }

    progress produce(byte_buffer& out) override
    {
        if (!std::exchange(has_begun_, true))
            reader_->begin(out);
        return reader_->produce(out);
    }
    void on_client_gone() noexcept override { reader_.reset(); }
    void write_comment(byte_buffer& out) override { reader_->write_comment(out); }
    bool is_event_stream() const noexcept override { return true; }
    void drain() override { reader_->end(); }

private:
    std::optional<stream_reader> reader_; // until the client is gone
    bool has_begun_ = false;
};

} // namespace partyline::http
