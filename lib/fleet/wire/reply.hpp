#pragma once

#include "fleet/wire/names.hpp"
#include "fleet/wire/read_outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::fleet {

/// How a call has ended at a worker, for the front, which has the request and words the reply.
enum class call_end : std::uint8_t {
    none,      // a message before the last: progress, a notification
    answered,  // the message is the reply; without one there is nothing to say
    lost,      // another worker had begun: whether it has run to its end is not known
    cancelled, // before it began or had an answer: by its front, or since its time is over
    too_large, // it has run, and its reply is too large for the bus
    opened,    // the session that it has asked for: it is that of this run
    full,      // no session was opened: the workers have as many as they take
};

/// One message of a run on its way to the front: a line of JSON and the message to the byte.
struct reply {
    call_id id;
    std::string run;          // WORKER.R: each run of a call has another one
    std::uint64_t number = 0; // from 1 on, within a run
    call_end end = call_end::none;
    std::string message = {};

    bool operator==(const reply&) const = default;
};

/// Why it can't be a reply; empty where it can.
std::string_view problem_of(const reply& one, std::size_t max_message_bytes);

/// The payload. Only of a reply without a problem.
std::string write_reply(const reply& one);

/// The same back, as strictly as items are read.
read_outcome<reply> read_reply(std::string_view payload, std::size_t max_message_bytes);

/// A cancel on its way to all workers: the same line, with no message.
std::string write_cancel(const call_id& id);
read_outcome<call_id> read_cancel(std::string_view payload);

} // namespace partyline::fleet
