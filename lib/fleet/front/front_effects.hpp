#pragma once

#include "fleet/wire/bus_message.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace partyline::fleet {

/// How a call ends at its front.
enum class front_outcome : std::uint8_t {
    answered,    // with the worker's message; an empty one: there is nothing to say
    lost,        // the worker that had begun is gone
    cancelled,   // by its client
    deadline,    // it took too long, as the front or the worker has found
    full,        // the queue, or this front
    client_full, // its client has too many calls open
    too_large,   // for the queue
    bad_reply,   // it has run, and its reply is too large
    no_stream,   // there is no such service, or nobody leads it
    unreachable, // the bus has not said that it has the call
    replayed,    // the proof in it was used before
    invalid,     // it can't be an item: a name in it that is no plain text
    closed,      // this front ends
    opened,      // a worker has opened the session that it has asked for
    no_room      // workers have as many sessions as they take, or its client as many as it may
};

/// The stream has the call: from here on it has one answer.
struct call_accepted {
    std::uint64_t number = 0;
};

/// A message before the last, for the client.
struct call_message {
    std::uint64_t number = 0;
    std::string message;
};

/// The call has ended. There is one of these for each call that was entered, and nothing after it.
struct call_settled {
    std::uint64_t number = 0;
    front_outcome outcome = front_outcome::answered;
    bool may_have_run = false; // of an outcome without an answer: it may run, have run or be running
    std::string message = {};  // of `answered`
    std::string run = {};      // of `opened`: that at the worker which has the session
};

/// A run has opened a session for a call that is not open any more: that was it, or it is one too many.
struct session_answered {
    std::uint64_t number = 0;
    std::string run;
};

using front_effect = std::variant<publication, call_accepted, call_message, call_settled, session_answered>;

} // namespace partyline::fleet
