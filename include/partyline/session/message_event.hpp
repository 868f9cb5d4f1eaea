#pragma once

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/message.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace partyline {

/// The direction of a message: received or sent.
enum class message_direction : std::uint8_t { in, out };

/// The channel by which a message is received or sent: 0 is the session's stream. A driver that serves one conversation
/// over several connections numbers the others from 1 on, and never uses a number twice.
using outlet_number = std::uint64_t;

/// One message, received or sent, for `session_options::on_message`. The views are valid during the call.
struct message_event {
    /// The direction.
    message_direction direction = message_direction::in;
    /// Elements of a batch have events of their own: after that of the batch when it is received, before it when it is
    /// sent.
    message_type type = message_type::bad;
    /// Whether it is an element of a batch.
    bool is_element = false;
    /// The whole message without its frame, or the element; empty for one that was too long to keep.
    std::string_view text = {};
    /// The id's exact text, also of the request that a progress notification belongs to; empty without, and for
    /// batches.
    std::string_view id = {};
    /// The method; for a reply, that of its request or call; empty where there is none.
    std::string_view method = {};
    /// Whether it is a reply with an error.
    bool is_error = false;
    /// The code of that error; 0 where it can't be read, and where there is no error.
    int error_code = 0;
    /// For a reply, the time since its request was read, or since its call was made. Unset where it is unknown.
    std::optional<std::chrono::steady_clock::duration> latency = {};
    /// The channel by which it is received or sent.
    outlet_number outlet = 0;
};

/// Sees every message in and out, and may refuse requests, notifications and calls by returning an error: a request is
/// answered with it, a call of ours completes as if the peer had answered it, a notification goes no further. The
/// result for any other message is ignored. The function is called in the middle of reading or writing: it may not send
/// anything on the session of the message, by itself or by way of a request's context.
///
///     options.on_message = [](const partyline::message_event& event) -> std::optional<partyline::error_object> {
///         show(event.text);
///         if (event.direction == partyline::message_direction::in && event.method == "shut_down")
///             return partyline::error_object{1001, "Not allowed", {}};
///         return std::nullopt;
///     };
using message_hook = std::function<std::optional<error_object>(const message_event&)>;

} // namespace partyline
