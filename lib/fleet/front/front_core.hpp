#pragma once

#include "fleet/due_times.hpp"
#include "fleet/front/counted_outcome.hpp"
#include "fleet/front/followed_run.hpp"
#include "fleet/front/front_effects.hpp"
#include "fleet/front/open_by_client.hpp"
#include "fleet/moment.hpp"
#include "fleet/wire/item.hpp"
#include "fleet/wire/jetstream.hpp"
#include "fleet/wire/reply.hpp"

#include <partyline/fleet/totals.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline::fleet {

struct front_limits {
    std::size_t max_calls = 16'384;
    std::size_t max_calls_per_client = 8'192;
    std::size_t max_sessions_per_client = 100;
    std::size_t max_bytes = std::size_t(64) << 20; // of items that no stream has acknowledged
    std::size_t max_message_bytes = std::size_t(4) << 20;
    std::chrono::milliseconds publish_again{250};   // after the first attempt; twice as long after each other one
    std::chrono::milliseconds publish_pause{2'000}; // but no longer
    std::chrono::seconds publish_time{30};
    std::chrono::seconds no_stream_time{10}; // a new leader takes 6
    std::chrono::seconds max_deadline{300};  // claims live longer: see worker_limits
};

/// A call as a front takes it.
struct new_call {
    std::string message;
    std::optional<std::chrono::milliseconds> deadline = {}; // none, or a longer one: the longest
    bool is_idempotent = false;
    std::optional<calling_peer> peer = {};
    std::string traceparent = {};
    session_kind session = session_kind::none; // what it opens: then there is no message
    std::string client = {};                   // whose calls, or sessions, are counted together; empty: nobody's
    std::string proof_id = {};                 // SIGNER.JTI of a proof that is good once on all fronts; empty: none
};

/// The rules of a front: from a client's call to its one answer. Knows neither sockets nor clocks.
///
/// Flow: each function may leave effects, to be taken and carried out in their order before the next one is called.
/// What a call keeps is bounded by `front_limits`; each function costs log n of the calls.
class front_core {
public:
    /// `front`: a name that no front has had before, such as one of 128 random bits: it makes ids unique.
    front_core(std::string front, std::string service, front_limits limits = {});

    /// Enters a call and returns its number. It is settled at once where there is no room, or where it can't be an
    /// item; such a number is of no use any more.
    std::uint64_t enter(new_call call, moment now);
    /// Its client wants no answer any more: it is settled as cancelled. Where it has opened a session that is over, and
    /// counts for its client no longer. Nothing where it has ended otherwise.
    void cancel(std::uint64_t number);
    /// A call has ended so without being entered.
    void count(front_outcome outcome, bool may_have_run = false) { count_outcome(totals_, outcome, may_have_run); }
    /// This front ends: settles all calls.
    void close();

    /// What has come at a subject below `reply_prefix`. What is not understood is dropped and counted.
    void on_message(const bus_message& message, moment now);
    /// An item that was to be published was not sent at all.
    void on_unsent(const publication& one);
    /// What is due by now.
    void on_time(moment now);
    std::optional<std::chrono::steady_clock::time_point> next_due() const { return due_.next(); }

    std::vector<front_effect> take_effects();
    bool has_effects() const noexcept { return !effects_.empty(); }

    std::size_t open_calls() const noexcept { return calls_.size(); }
    std::size_t kept_bytes() const noexcept { return kept_bytes_; }
    front_totals totals() const;

private:
    using time_point = std::chrono::steady_clock::time_point;

    struct open_call {
        std::shared_ptr<const std::string> payload; // until the stream has it
        std::string message_id;
        std::string client;
        bool has_proof = false;
        bool is_opening = false;
        std::uint64_t attempts = 0;
        std::uint64_t refused_attempts = 0; // of which it is known that nothing was kept
        std::uint64_t last_refused_attempt = 0;
        std::optional<time_point> no_stream_since = {};
        time_point publish_until;
        time_point deadline;
        time_point due;
        followed_run run = {};
    };
    using calls = std::map<std::uint64_t, open_call>;

    call_id id_of(std::uint64_t number) const { return {front_, number}; }
    void refuse(std::uint64_t number, front_outcome outcome);
    std::optional<front_outcome> refusal_of(const item& one, const std::string& client) const;
    void open(std::uint64_t number, item one, new_call call, moment now);
    std::chrono::milliseconds pause_after(std::uint64_t attempts) const;
    void publish(calls::iterator call, moment now);
    void accept(calls::iterator call);
    open_by_client& clients_of(const open_call& open) noexcept;
    void settle(calls::iterator call, call_settled how);
    void settle(calls::iterator call, front_outcome outcome);
    void count_settled(const open_call& open, const call_settled& how);
    void end_session(std::uint64_t number);
    void send_cancel(std::uint64_t number);
    void confirm(const bus_message& message);

    void on_stream_answer(calls::iterator call, std::uint64_t attempt, const bus_message& message, moment now);
    void note_refused(calls::iterator call, std::uint64_t attempt);
    void on_stored_before(calls::iterator call, std::uint64_t attempt);
    void on_not_ready(calls::iterator call, stream_answer::kind why, moment now);
    void on_reply(std::uint64_t number, const bus_message& message);
    void on_last(calls::iterator call, reply last);
    void on_due(calls::iterator call, moment now);

    std::string front_;
    std::string service_;
    front_limits limits_;
    std::uint64_t last_number_ = 0;
    std::size_t kept_bytes_ = 0;
    front_totals totals_; // but for those that are open
    calls calls_;
    std::map<std::uint64_t, std::string> sessions_; // whose they are, by the calls that have opened them
    open_by_client clients_;                        // with calls
    open_by_client clients_of_sessions_;            // with openings as well
    due_times due_;
    std::vector<front_effect> effects_;
};

} // namespace partyline::fleet
