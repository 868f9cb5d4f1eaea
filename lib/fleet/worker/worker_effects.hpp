#pragma once

#include "fleet/wire/bus_message.hpp"
#include "fleet/wire/item.hpp"

#include <cstdint>
#include <string_view>
#include <variant>

namespace partyline::fleet {

/// A call is to run now. Its messages and its end are told to the core by this number.
struct run_started {
    std::uint64_t run = 0;
    item call;
};

/// A session is to be opened now: the core is told at once whether it was, and later of its end.
struct session_wanted {
    std::uint64_t run = 0;
    item opening;
};

/// Nobody wants its result any more. It ends nevertheless, sooner or later.
struct run_cancelled {
    std::uint64_t run = 0;
};

/// What has come and is no item, or no cancel: it does not come again. For the log, and to be counted.
struct item_refused {
    std::string_view why;
};

/// Pulls that are open are not wanted any more: the worker unsubscribes from their subjects, so that nothing is
/// delivered to them.
struct pulls_ended {};

/// Nobody has heard a pull: the queue or its consumer may be gone. What is gone is to be made again.
struct queue_missed {};

/// Of a worker that drains: nothing runs, nothing waits to be confirmed, and there is no session.
struct worker_drained {};

using worker_effect = std::variant<publication, run_started, session_wanted, run_cancelled, item_refused, pulls_ended,
                                   queue_missed, worker_drained>;

} // namespace partyline::fleet
