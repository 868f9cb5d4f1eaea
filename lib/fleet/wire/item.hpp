#pragma once

#include "fleet/wire/names.hpp"
#include "fleet/wire/read_outcome.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::fleet {

/// Who asks, as the front has found out. Workers believe it: who may publish items says who asks.
struct calling_peer {
    std::string principal; // not empty
    std::string source;
    std::vector<std::string> scopes;

    bool operator==(const calling_peer&) const = default;
};

/// What an item opens: a session is not one call, but what is said afterwards (see channel_message.hpp).
enum class session_kind : std::uint8_t {
    none,     // it is a call
    session,  // of a client
    requests, // what a connection asks for without a session
};

/// One call on its way to a worker: a line of JSON and, behind it, the request to the byte. One that opens a session
/// has no request; any worker with room may take it, and taken twice it leaves one that its front does not know and
/// ends.
struct item {
    call_id id;
    std::chrono::system_clock::time_point until; // to the millisecond
    bool is_idempotent = false;                  // the front knows that it may run twice; a worker may know it as well
    std::optional<calling_peer> peer = {};       // none: nobody was asked
    std::string traceparent = {};                // empty: none
    session_kind session = session_kind::none;
    std::string message = {};

    bool operator==(const item&) const = default;
};

/// Why it can't be an item; empty where it can. Of what is written and of what is read alike.
std::string_view problem_of(const item& one, std::size_t max_message_bytes);

/// The payload. Only of an item without a problem.
std::string write_item(const item& one);

/// The same back. Strict: no member that is not known, none twice, replies to nobody but the front that the id names.
read_outcome<item> read_item(std::string_view payload, std::size_t max_message_bytes);

} // namespace partyline::fleet
