#pragma once

#include <partyline/protocol/error.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace partyline {

/// One message that passes, as `session_options::hook` sees it. The views are valid during the call.
struct message_event {
    enum class direction : std::uint8_t { in, out };
    /// `bad` is what came and is no message. A batch is told as a whole, then element by element.
    enum class kind : std::uint8_t { request, notification, reply, batch, bad };

    direction way = direction::in;
    kind what = kind::bad;
    /// Part of a batch.
    bool is_element = false;
    /// Of a reply: it tells an error.
    bool is_error = false;
    /// The whole message without its frame, or the element; empty for one that was too long to keep.
    std::string_view text;
    /// The id's exact text, also of the request that a progress notification belongs to; empty without, and for batches.
    std::string_view id;
    /// The method, of a reply that of its request or call; empty where there is none.
    std::string_view method;
    /// Of a reply: the time since its request was read, or since its call was made.
    std::optional<std::chrono::steady_clock::duration> latency;
};

/// Sees every message in and out, and may refuse requests, notifications and calls by returning an error: a request is
/// answered with it, a call of ours completes as if the peer had answered it, a notification goes no further. What it
/// returns for anything else is not looked at. It is called in the middle of reading or writing: it may not send anything on
/// the session that it is asked about, itself or by way of a request's context.
using message_hook = std::function<std::optional<error_object>(const message_event&)>;

} // namespace partyline
