#pragma once

#include "http/serve/exchange.hpp"
#include "http/serve/request.hpp"
#include "http/sessions/event_log.hpp"
#include "http/sessions/mcp_session.hpp"
#include "http/sessions/store_calls.hpp"
#include "http/sessions/stored_page.hpp"
#include "http/sessions/stream_reader.hpp"
#include "session/budget_share.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace partyline::http {

/// Sends a stream that a client resumes at an event which only the event store has: by what the store has, page by
/// page, and then by the stream itself, where that is still there. Until the first page has come nothing is answered.
///
/// The reader of the stream begins with the first page, so that the stream keeps what comes behind the pages: no event
/// is sent twice, and none is lost in between.
class resumed_reader final : public exchange, public resumption, public std::enable_shared_from_this<resumed_reader> {
public:
    /// `last`: the event that the client has had last.
    resumed_reader(std::shared_ptr<mcp_session> of, std::shared_ptr<store_calls> from, const event_id& last,
                   reply_sink& line, response_style style);
    ~resumed_reader() override;
    resumed_reader(const resumed_reader&) = delete;
    resumed_reader& operator=(const resumed_reader&) = delete;

    /// Asks for the first page; once. Throws where there is no memory. Before: the store has room to read.
    void start() { ask(); }

    // exchange
    progress produce(byte_buffer& out) override;
    void write_comment(byte_buffer& out) override;
    bool is_event_stream() const noexcept override { return has_begun_; }
    void drain() override { end(); }
    void end_stream() override { end(); }

    // resumption
    void end() override;

private:
    void ask();
    void on_page(store_calls::result got) noexcept;
    void take(stored_page page) noexcept;
    void leave_store() noexcept;
    bool is_over() const noexcept;
    std::optional<response> find_refusal() const;
    void attach();
    progress answer(byte_buffer& out, const response& known);
    void begin(byte_buffer& out);
    progress produce_page(byte_buffer& out);
    progress finish(byte_buffer& out) const;
    std::shared_ptr<mcp_session> session_;
    std::shared_ptr<store_calls> store_;
    reply_sink& line_;
    response_style style_;
    chunk_writer chunks_;
    budget_share share_;                   // for the page
    std::unique_ptr<stream_reader> later_; // sends what the stream itself has; null where it is not there any more
    std::optional<stored_page> page_;
    std::uint64_t next_;       // the next event to be sent
    std::uint64_t behind_ = 0; // the first one that the store is not asked for
    bool has_failed_ = false;  // the store
    bool has_begun_ = false;
    bool has_ended_ = false;
    store_calls::read_handle call_; // the last one that is destroyed first
};

} // namespace partyline::http
