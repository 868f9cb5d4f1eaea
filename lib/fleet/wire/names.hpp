#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::fleet {

// The names of all subjects, streams, consumers and buckets on the bus. A service, a front and a worker each have a
// name that is one token of a subject:
//
//   pl.q.SERVICE          items of calls, kept by the stream PL_SERVICE
//   pl.c.SERVICE          cancels, to all workers of the service
//   pl.r.FRONT.N          replies to call N of that front
//   pl.r.FRONT.N.T        what the stream says of attempt T to publish call N
//   pl.r.FRONT.m.N        what a worker says in the session that call N has opened
//   pl.w.WORKER.p.K       where pull K of that worker is answered; items have the queue's subject nevertheless
//   pl.w.WORKER.k.R       what the bucket says of the claim for run R
//   pl.w.WORKER.c.R       the confirmation that the last message of run R has come
//   pl.w.WORKER.m.R       what a front says in the session that run R has opened
//   pl.w.WORKER.s.N       what JetStream says to request N for the queue that is to be made
//
// A session belongs to one front and to one worker, and nobody else has to find it: clients come back to their front by
// the node in the session's id, as they do behind a balancer without a bus.
//
// A front subscribes to pl.r.FRONT.>, a worker to pl.w.WORKER.> and pl.c.SERVICE.

/// Of a service, a front or a worker. A stream's name is longer by three bytes, and has to name a file.
inline constexpr std::size_t max_name_bytes = 64;

inline bool is_name_byte(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}
/// Whether a text is the name of a service, a front or a worker: 1 to 64 letters, digits, `_` and `-`.
inline bool is_name(std::string_view text) noexcept
{
    return !text.empty() && text.size() <= max_name_bytes && std::all_of(text.begin(), text.end(), is_name_byte);
}
/// The name of a service as it is; throws `std::invalid_argument` where it is none, which begins with `user`.
std::string checked_service(std::string name, std::string_view user);

/// A call as all know it: FRONT.N. Fronts have a new name each time they start, so no id comes twice.
struct call_id {
    std::string front;
    std::uint64_t number = 0; // from 1 on

    std::string text() const;
    static std::optional<call_id> read(std::string_view text);
    bool operator==(const call_id&) const = default;
};

/// A whole number without sign and leading zeros, from 1 on.
std::optional<std::uint64_t> read_number(std::string_view text) noexcept;

std::string queue_subject(std::string_view service);
std::string cancel_subject(std::string_view service);
std::string stream_name(std::string_view service);
/// The consumer of a service's stream that all its workers pull from.
inline constexpr std::string_view consumer_name = "workers";
/// Where workers ask for items, by JetStream's API.
std::string pull_subject(std::string_view service);

inline constexpr std::string_view claims_bucket = "pl_claims";
/// Where the claim for a call is created.
std::string claim_subject(std::string_view id);

/// What a front says of itself in an item, and what it subscribes to but for the last token.
std::string reply_prefix(std::string_view front);
/// `id` as text; the same as the prefix of its front and its number.
std::string reply_subject(std::string_view id);
std::string attempt_subject(const call_id& id, std::uint64_t attempt);

/// Where the front of a session is told what its worker says.
std::string session_subject(const call_id& id);
/// Where the worker of that run (WORKER.R) is told what its front says.
std::string run_session_subject(std::string_view run);

/// What arrived at a subject below `reply_prefix`.
struct front_subject {
    std::uint64_t number = 0;
    std::uint64_t attempt = 0; // 0: a reply, else what the stream says
    bool is_session = false;   // of the session that call has opened
};
std::optional<front_subject> read_front_subject(std::string_view subject, std::string_view front);

/// At `setup` JetStream answers what a worker asks it to make.
enum class worker_use : char { pull = 'p', claim = 'k', confirmation = 'c', session = 'm', setup = 's' };
std::string worker_subject(std::string_view worker, worker_use use, std::uint64_t number);
/// All subjects of a worker for that use.
std::string worker_subjects(std::string_view worker, worker_use use);
/// What arrived at a subject of this worker.
struct received_at {
    worker_use use;
    std::uint64_t number = 0;
};
std::optional<received_at> read_worker_subject(std::string_view subject, std::string_view worker);
/// Whether a reply may ask to be confirmed there: at a subject of some worker. A front publishes nowhere else for it.
bool is_confirmation_subject(std::string_view subject);

/// Whether a message came from a consumer, so that it can be acknowledged there.
bool is_ack_subject(std::string_view subject) noexcept;
/// How often the consumer has delivered that message, this time included; 0 where the subject does not say it.
std::uint64_t deliveries_of(std::string_view ack_subject) noexcept;

} // namespace partyline::fleet
