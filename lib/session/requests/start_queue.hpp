#pragma once

#include "session/budget_share.hpp"
#include "session/call_signer.hpp"
#include "session/requests/incoming_request.hpp"
#include "session/sender_facts.hpp"

#include <partyline/protocol/limits.hpp>
#include <partyline/session/method_options.hpp>

#include <any>
#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace partyline {

/// What a method asks of the order in which handlers start, and what one request takes of the budgets.
struct start_rule {
    const method_options* method = nullptr; // where they are tells methods apart
    std::size_t bytes = 0;                  // of its message

    /// Whether later ones start after it.
    bool bars_others() const noexcept { return method->exclusive || method->ordered; }
    bool is_bounded() const noexcept { return method->max_concurrent != 0; }
};

/// A request or notification whose time has not come.
struct waiting_request : incoming_request {
    std::string text; // the whole message
    std::any facts;   // what the profile knows of it
    std::shared_ptr<const sent_fields> sender_fields;
    std::shared_ptr<const call_signer> signer;
    start_rule rule;

    void set_sender_fields(std::shared_ptr<const sent_fields> of) noexcept { sender_fields = std::move(of); }
    void set_signer(std::shared_ptr<const call_signer> by) noexcept { signer = std::move(by); }

    std::list<waiting_request>* home = nullptr;
    std::list<waiting_request>::iterator self;
};

/// A budget that something does not fit into.
struct shortage {
    std::size_t limit;
    std::size_t value; // what there would be
};

/// Decides when handlers start: in order of arrival, except where a method bounds itself; and while there is a slot for
/// them within the in-flight budget.
///
/// Flow: `may_start()` on arrival, else `wait()`, unless `shortage_for()` says that the waiting budget is used up.
/// `on_start()` when a handler starts, `on_end()` when it has ended; then start what `take_ready()` gives until it
/// gives nothing. `remove()` what is cancelled while it waits.
class start_queue {
public:
    explicit start_queue(const limits& bounds, memory_budget* shared = nullptr) : bounds_(bounds), share_(shared) {}

    bool may_start(const start_rule& rule);
    /// Keeps a request waiting. Valid until `take_ready()` hands it out or `remove()` drops it.
    waiting_request& wait(const start_rule& rule, std::string_view text);
    /// Which part of the waiting budget has no room for this many bytes more.
    std::optional<shortage> shortage_for(std::size_t bytes) const noexcept;

    /// Whether the in-flight budget has room for one more of this size, whatever its method says.
    bool has_slot_for(std::size_t bytes) const noexcept { return has_slot({nullptr, bytes}); }

    void on_start(const start_rule& rule);
    void on_end(const start_rule& rule);

    /// The request gives its slot back for a while, since it waits for the peer; false when too many do so already, or
    /// too many bytes. The first one may.
    bool lend(const start_rule& rule);
    /// It has its slot again, whether there is one or not.
    void take_back(const start_rule& rule);

    /// Moves the next one that may start to `out`, a list of the caller's; false when there is none.
    bool take_ready(std::list<waiting_request>& out);
    void remove(waiting_request& waiting);

    /// No method is known any more; only while nothing runs and nothing waits.
    void forget_methods() noexcept
    {
        lanes_.clear();
        freed_.clear();
    }

    /// Those that nothing runs or waits of are not known any more.
    void forget_idle_methods() noexcept
    {
        std::erase_if(lanes_, [](const auto& one) { return one.second.running == 0 && one.second.waiting.empty(); });
    }

    /// Calls `function` with each that waits.
    template <class Function>
    void for_each(Function function) const
    {
        for (const waiting_request& one : held_)
            function(one);
        for (const auto& [of, own] : lanes_)
            for (const waiting_request& one : own.waiting)
                function(one);
    }

    /// All that waits, for a last word to each: moves everything to `out`.
    void take_all(std::list<waiting_request>& out);

    bool empty() const noexcept { return held_.empty() && in_lanes_ == 0; }
    std::size_t size() const noexcept { return held_.size() + in_lanes_; }
    /// Of the messages that wait.
    std::size_t bytes() const noexcept { return waiting_bytes_; }

private:
    /// The requests of one method that bounds itself.
    struct lane {
        std::size_t running = 0;
        std::list<waiting_request> waiting;
    };

    bool has_slot(const start_rule& rule) const noexcept;
    bool has_room(const start_rule& rule);
    // Of methods that bound themselves; apart, so that the others do not pay for it.
    [[gnu::cold]] bool may_start_with_bounds(const start_rule& rule);
    [[gnu::cold]] void enter_lane(const method_options& of);
    [[gnu::cold]] void leave_lane(const method_options& of);
    void put(std::list<waiting_request>& list, std::list<waiting_request>& from);
    void give(std::list<waiting_request>& out, std::list<waiting_request>& from);
    bool may_lend(const start_rule& rule) const noexcept;
    void note_bytes() noexcept { share_.set(waiting_bytes_ + running_bytes_ + lent_bytes_); }

    const limits& bounds_;
    budget_share share_;
    std::list<waiting_request> held_; // behind a barrier, an exclusive request or without a slot, in order of arrival
    std::unordered_map<const method_options*, lane> lanes_;
    std::vector<const method_options*> freed_; // methods that may have room again
    std::size_t in_lanes_ = 0;
    std::size_t waiting_bytes_ = 0;
    std::size_t running_ = 0;
    std::size_t lent_ = 0;          // of those
    std::size_t running_bytes_ = 0; // without those
    std::size_t lent_bytes_ = 0;
    bool is_barred_ = false;
};

} // namespace partyline
