#include "session/requests/start_queue.hpp"

#include <iterator>

namespace partyline {

bool start_queue::has_slot(const start_rule& rule) const noexcept
{
    const std::size_t taken = running_ - lent_;
    if (taken == 0)
        return true; // one is always admitted, also where the budget is smaller than its message
    return taken < bounds_.in_flight_requests && running_bytes_ + rule.bytes <= bounds_.in_flight_bytes &&
           share_.is_left();
}

// Whether the method's own bounds allow one more.
bool start_queue::has_room(const start_rule& rule)
{
    if (rule.method->exclusive)
        return running_ == 0; // then nothing waits in a lane: take_ready() looks there first
    if (!rule.is_bounded())
        return true;
    const lane& own = lanes_[rule.method];
    return own.running < rule.method->max_concurrent && own.waiting.empty();
}

bool start_queue::may_start(const start_rule& rule)
{
    if (is_barred_ || !held_.empty())
        return false;
    if (rule.method->exclusive || rule.is_bounded()) [[unlikely]]
        return may_start_with_bounds(rule);
    return has_slot(rule);
}

bool start_queue::may_start_with_bounds(const start_rule& rule)
{
    return has_room(rule) && has_slot(rule);
}

std::optional<shortage> start_queue::shortage_for(std::size_t bytes) const noexcept
{
    if (size() >= bounds_.waiting_requests)
        return shortage{bounds_.waiting_requests, size() + 1};
    if (waiting_bytes_ + bytes > bounds_.waiting_bytes)
        return shortage{bounds_.waiting_bytes, waiting_bytes_ + bytes};
    if (share_.is_used_up() && waiting_bytes_ + bytes > memory_budget::always) [[unlikely]]
        return shortage{share_.limit(), share_.used() + bytes};
    return std::nullopt;
}

// Appends the front of `from` to `list`.
void start_queue::put(std::list<waiting_request>& list, std::list<waiting_request>& from)
{
    list.splice(list.end(), from, from.begin());
    list.back().home = &list;
    list.back().self = std::prev(list.end());
}

waiting_request& start_queue::wait(const start_rule& rule, std::string_view text)
{
    std::list<waiting_request> fresh;
    waiting_request& entry = fresh.emplace_back();
    entry.stage = incoming_request::state::waiting;
    entry.text = text;
    entry.rule = rule;
    waiting_bytes_ += rule.bytes;
    note_bytes();
    if (is_barred_ || !held_.empty() || has_room(rule) || rule.method->exclusive) {
        put(held_, fresh);
    } else {
        put(lanes_[rule.method].waiting, fresh);
        ++in_lanes_;
    }
    return entry;
}

void start_queue::on_start(const start_rule& rule)
{
    ++running_;
    running_bytes_ += rule.bytes;
    if (rule.bars_others())
        is_barred_ = true;
    if (rule.is_bounded()) [[unlikely]]
        enter_lane(*rule.method);
    note_bytes();
}

void start_queue::enter_lane(const method_options& of)
{
    ++lanes_[&of].running;
}

void start_queue::on_end(const start_rule& rule)
{
    --running_;
    running_bytes_ -= rule.bytes;
    if (rule.bars_others())
        is_barred_ = false;
    if (rule.is_bounded()) [[unlikely]]
        leave_lane(*rule.method);
    note_bytes();
}

void start_queue::leave_lane(const method_options& of)
{
    lane& own = lanes_[&of];
    --own.running;
    if (!own.waiting.empty())
        freed_.push_back(&of);
}

// Lent requests have a byte budget besides that of running ones: what would end their waiting must be able to start.
bool start_queue::may_lend(const start_rule& rule) const noexcept
{
    const std::size_t bytes = lent_bytes_ + rule.bytes;
    const bool has_room = bytes <= bounds_.in_flight_bytes && (!share_.is_used_up() || bytes <= memory_budget::always);
    return lent_ < bounds_.peer_waits && (has_room || lent_ == 0);
}

bool start_queue::lend(const start_rule& rule)
{
    if (!may_lend(rule))
        return false;
    ++lent_;
    lent_bytes_ += rule.bytes;
    running_bytes_ -= rule.bytes;
    note_bytes();
    return true;
}

void start_queue::take_back(const start_rule& rule)
{
    --lent_;
    lent_bytes_ -= rule.bytes;
    running_bytes_ += rule.bytes;
    note_bytes();
}

// Hands the front of `from` out.
void start_queue::give(std::list<waiting_request>& out, std::list<waiting_request>& from)
{
    waiting_bytes_ -= from.front().rule.bytes;
    note_bytes();
    put(out, from);
}

bool start_queue::take_ready(std::list<waiting_request>& out)
{
    // What waits in a lane came before everything that is held, so a barrier does not concern it.
    for (; !freed_.empty(); freed_.pop_back()) {
        lane& own = lanes_[freed_.back()];
        if (own.waiting.empty() || own.running >= own.waiting.front().rule.method->max_concurrent)
            continue;
        if (!has_slot(own.waiting.front().rule))
            return false;
        --in_lanes_;
        give(out, own.waiting);
        return true;
    }
    while (!is_barred_ && !held_.empty()) {
        const start_rule& rule = held_.front().rule;
        const bool is_free = has_room(rule);
        if (is_free && has_slot(rule)) {
            give(out, held_);
            return true;
        }
        if (is_free || rule.method->exclusive)
            return false;
        put(lanes_[rule.method].waiting, held_);
        ++in_lanes_;
    }
    return false;
}

void start_queue::remove(waiting_request& waiting)
{
    waiting_bytes_ -= waiting.rule.bytes;
    note_bytes();
    if (waiting.home != &held_)
        --in_lanes_;
    waiting.home->erase(waiting.self);
}

void start_queue::take_all(std::list<waiting_request>& out)
{
    for (auto& [method, own] : lanes_)
        out.splice(out.end(), own.waiting);
    out.splice(out.end(), held_);
    in_lanes_ = 0;
    waiting_bytes_ = 0;
    note_bytes();
}

} // namespace partyline
