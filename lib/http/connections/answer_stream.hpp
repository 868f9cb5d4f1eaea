#pragma once

#include "http/connections/connection_pool.hpp"
#include "http/wire/event_reader.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace partyline::http {

/// The messages of a response: all of its body, or one event after the other.
class answer_stream {
public:
    /// `over` lives longer. Messages of more than `most` bytes fail with errc::message_too_large.
    answer_stream(pooled_response& over, std::size_t most);

    bool is_event_stream() const noexcept { return is_event_stream_; }
    /// The next message. Empty: there are no more.
    ///
    /// Fails with      what `pooled_response::read_some` fails with; errc::message_too_large
    boost::asio::awaitable<std::optional<std::string>> next(time_limit until = no_time_limit);

    /// Of a stream of events: where it is, and how soon to come back.
    const std::string& last_event_id() const noexcept { return events_.last_id(); }
    std::optional<std::chrono::milliseconds> retry() const noexcept { return events_.retry(); }

private:
    void check_size(const std::string& message) const;
    boost::asio::awaitable<std::optional<std::string>> next_event(time_limit until);

    pooled_response& over_;
    const std::size_t most_;
    event_reader events_;
    bool is_event_stream_;
    bool has_ended_ = false;
};

/// Whether the body of a response is encoded. No request of ours has an Accept-Encoding: whoever encodes a body all the
/// same is not understood.
bool is_encoded(const received_head& head);

/// Whether the body of a response is a stream of events.
bool has_events(const received_head& head);

/// Whether the body of a response is what messages are read from: that, or JSON.
bool has_messages(const received_head& head);

} // namespace partyline::http
