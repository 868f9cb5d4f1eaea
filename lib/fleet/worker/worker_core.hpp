#pragma once

#include "fleet/due_times.hpp"
#include "fleet/moment.hpp"
#include "fleet/wire/item.hpp"
#include "fleet/wire/jetstream.hpp"
#include "fleet/wire/reply.hpp"
#include "fleet/worker/open_pulls.hpp"
#include "fleet/worker/open_sessions.hpp"
#include "fleet/worker/recent_cancels.hpp"
#include "fleet/worker/worker_effects.hpp"

#include <partyline/fleet/totals.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::fleet {

struct worker_limits {
    std::size_t slots = 16;                                    // runs at once
    std::size_t max_unconfirmed = 1'024;                       // calls that have ended and are not confirmed
    std::size_t max_unconfirmed_bytes = std::size_t(64) << 20; // of their last messages
    std::size_t max_message_bytes = std::size_t(4) << 20;
    std::size_t max_sessions = 1'024;
    std::uint64_t max_offers = 4;       // so often an opening is delivered until a worker without room refuses it
    std::uint64_t max_deliveries = 100; // of an item, each after a worker has died, or had no slot and gave it back
    std::chrono::seconds progress_interval{3}; // the ack wait is 10
    std::chrono::milliseconds confirm_again{500};
    std::chrono::milliseconds claim_again{500};
    std::chrono::seconds no_front_time{10}; // nobody subscribes to the replies: that front is dead
    std::chrono::seconds pull_time{5};
    std::chrono::seconds pull_pause{1};            // after one that was refused
    std::chrono::seconds miss_pause{5};            // after the queue was missed: nobody had heard a pull
    std::chrono::seconds back_delay{1};            // of an item for which there is no slot after all
    std::chrono::seconds back_delay_of_session{2}; // all offers of one take longer than a pull
    std::chrono::seconds claimed_delay{10};        // of one that another worker has claimed just now: the ack wait
    std::chrono::seconds max_ahead{540}; // an item that is good for longer would outlive its claim, which lives 600
};

/// The rules of a worker: from an item of the queue to the confirmation of its last message. Knows neither sockets nor
/// clocks.
///
/// Flow: as of `front_core`. An item is acknowledged after its front has confirmed the last message, so it comes to
/// another worker if this one ends before. What may not run twice is claimed before it runs.
class worker_core {
public:
    /// Whether a call may run again after a worker was lost, as far as the worker knows.
    using idempotence = std::function<bool(const item&)>;

    /// `worker`: a name that no worker has had before.
    worker_core(std::string worker, std::string service, idempotence is_idempotent, worker_limits limits = {});

    /// Longer messages are refused from now on: as `worker_limits::max_message_bytes`.
    void limit_messages(std::size_t bytes) noexcept { limits_.max_message_bytes = bytes; }
    /// Where `is_ready` says false nothing is pulled, and what comes all the same is given back; a pause later it is
    /// asked again.
    void take_only_when(std::function<bool()> is_ready) { is_ready_ = std::move(is_ready); }
    /// Begins to pull, and again after the connection was lost, with which the server has lost the pulls.
    void on_connected(moment now);
    /// Asks for no more and gives back what has not begun; what has begun ends and is confirmed.
    void drain(moment now);

    /// What has come at `pl.w.WORKER.>` or at the service's subject of cancels. An item comes where it was pulled to,
    /// and has the subject of the queue nevertheless.
    void on_message(const bus_message& message, moment now);
    /// A run has said something before its end. Dropped where it has ended, or where it is too large.
    void on_output(std::uint64_t run, std::string message);
    /// A run has ended: its last message, empty where there is nothing to say. Without memory for it the call is
    /// answered that it was too large; without memory for that, later.
    void on_end(std::uint64_t run, std::string message, moment now);
    /// The session of that run is open, or can't be. Without memory to say so it is said later.
    void on_opened(std::uint64_t run, bool is_open, moment now);
    /// The session of that run is over. To note that takes no memory.
    void on_session_end(std::uint64_t run, moment now);

    void on_time(moment now);
    std::optional<std::chrono::steady_clock::time_point> next_due() const;

    std::vector<worker_effect> take_effects();

    std::size_t held_items() const noexcept { return held_.size(); }
    worker_totals totals() const;

private:
    using time_point = std::chrono::steady_clock::time_point;
    enum class state : std::uint8_t { claiming, running, ended };

    static bool is_opening(const item& call) noexcept { return call.session != session_kind::none; }

    // An item that this worker has begun with, until its front has confirmed the last message.
    struct held_item {
        item call;      // its message until it runs
        std::string id; // as text
        std::string ack;
        state is = state::claiming;
        bool is_cancelled = false;
        bool has_run = false; // or was opened, and there was no memory to say so
        time_point until;
        time_point progress_at; // when the stream is told that it is worked on
        time_point again_at;    // when it is claimed or sent once more
        time_point due;
        bool is_first_delivery = false;
        std::uint64_t sent = 0; // messages to the front
        std::shared_ptr<const std::string> last = {};
        bool is_front_away = false; // at the last attempt
        std::optional<time_point> no_front_since = {};
    };
    using held_items_by_run = std::map<std::uint64_t, held_item>;
    using held = held_items_by_run::iterator;

    void pull(moment now);
    std::size_t free_slots() const noexcept;
    std::size_t wanted() const noexcept;
    bool is_ready() const { return !is_ready_ || is_ready_(); }
    void on_pulled(const bus_message& message, moment now);
    void on_pull_status(std::uint64_t pull, int status, moment now);
    void miss_queue(moment now);
    void on_item(const bus_message& message, moment now);
    void on_again(held it, const bus_message& message, moment now);
    void hold(item call, std::string id, const bus_message& message, moment now);
    void begin(held it, std::uint64_t deliveries, moment now);
    void forget(std::uint64_t run) noexcept;
    void refuse(const bus_message& message, std::string_view why);
    bool has_no_room(const item& call) const noexcept;
    void give_back(item call, std::string id, const bus_message& message, moment now);
    void note_refused(std::string_view why);

    void open_session(held it);
    void claim(held it, moment now);
    void on_claim(held it, const bus_message& message, moment now);
    void on_claimed_before(held it, moment now);
    void start(held it, moment now);
    void end(held it, call_end how, std::string message, moment now);
    void end_run(held it, std::string message, moment now);
    call_end end_in_short(held it) const noexcept;
    void end_without_memory(held it, moment now) noexcept;
    void send_last(held it, moment now);
    void on_confirmation(held it, const bus_message& message, moment now);
    void on_cancel(const bus_message& message);
    void release(held it, std::string_view acknowledgement, moment now);

    void on_due(held it, moment now);
    void on_past(held it, moment now);
    void schedule(held it);
    void acknowledge(std::string_view subject, std::string_view what);
    reply next_reply(held it);

    std::string worker_;
    std::string service_;
    std::string queue_; // its subject, at which items stay when they are delivered
    idempotence is_idempotent_;
    std::function<bool()> is_ready_; // empty: always
    worker_limits limits_;
    bool is_connected_ = false;
    bool is_draining_ = false;
    bool is_drained_ = false;
    std::uint64_t last_run_ = 0;
    std::size_t running_ = 0; // those that claim as well; openings are none
    worker_totals totals_;    // but for what there is now
    std::size_t unconfirmed_bytes_ = 0;
    held_items_by_run held_;
    std::map<std::string, std::uint64_t, std::less<>> runs_; // by the call's id
    open_sessions sessions_;
    due_times due_;
    open_pulls pulls_;
    std::optional<time_point> pull_after_;
    std::optional<time_point> missed_at_; // the queue, for the last time
    recent_cancels cancels_;
    std::vector<worker_effect> effects_;
};

} // namespace partyline::fleet
