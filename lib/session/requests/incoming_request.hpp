#pragma once

#include "session/requests/method_lookup.hpp"
#include "session/requests/quota_slot.hpp"
#include "session/served_record.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/request_id.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/lifecycle.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline {

class batch_reply;
class outlet;

/// Why a request was cancelled: it decides what the peer is told.
enum class cancel_cause : std::uint8_t {
    none,
    peer,
    deadline,
    end_of_input,
    drain_timeout,
    stop,
    abandoned,
    access_ended
};

/// What a reply tells: the code of an error, or, where there is none, a result.
using reply_error = std::optional<int>;

/// The same, for those who are told of it.
inline answer_given describe_answer(std::string_view id, std::string_view method, reply_error error) noexcept
{
    return {id, method, error ? answer_outcome::error : answer_outcome::result, error.value_or(0)};
}

/// A reply that finds no room in the outbox.
struct kept_reply {
    byte_buffer text; // empty for a notification
    reply_error error;
};

/// One incoming request (or notification: its id is empty), from its arrival to its one answer.
struct incoming_request {
    enum class state : std::uint8_t {
        free,    // no request here, or its answer has been given
        waiting, // arrived, its handler not started
        running, // its handler has been started
        finished // its handler has ended, and the outbox has no room for the reply
    };

    request_id id;
    std::size_t hash = 0; // of the id's key, see in_flight_table
    const method* callee = nullptr;
    table_number table = 0; // where the callee is
    std::string called_as;  // the method's name, where the callee has none: it takes what nobody else does
    outlet* via = nullptr;  // that it came in by: all that belongs to it goes there
    std::shared_ptr<batch_reply> of_batch;         // the one that this request came in, if any
    quota_slot quota;                              // until its handler has ended, or it is known that none starts
    kept_reply* kept = nullptr;                    // where its reply goes while the outbox has no room
    served_record record;                          // of it, where there is a hook for that
    std::chrono::steady_clock::time_point arrival; // only where there is a hook
    std::atomic<cancel_cause> cause = cancel_cause::none;
    state stage = state::free;
    bool is_listed = false;     // stands in the in-flight table
    bool is_silenced = false;   // the peer wants nothing more of it
    bool is_answered = false;   // with a result that has been handed to the output
    bool is_tool_error = false; // its result says so; set where the handler runs, before that ends

    bool is_notification() const noexcept { return id.empty(); }
    /// `name` is what the peer called.
    void set_callee(const method& to, std::string_view name)
    {
        callee = &to;
        if (to.name.empty()) [[unlikely]]
            called_as = name;
    }
    std::string_view method_name() const noexcept { return callee->name.empty() ? called_as : callee->name; }
};

} // namespace partyline
