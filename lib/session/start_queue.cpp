#include "session/start_queue.hpp"

#include <iterator>

namespace partyline {

bool start_queue::has_room(const start_rule& rule)
{
    if (rule.exclusive)
        return running_ == 0 && in_lanes_ == 0;
    if (rule.max_concurrent == 0)
        return true;
    const lane& own = lanes_[rule.method];
    return own.running < rule.max_concurrent && own.waiting.empty();
}

bool start_queue::may_start(const start_rule& rule)
{
    return !is_barred_ && held_.empty() && has_room(rule);
}

// Appends the front of `from` to `list`.
void start_queue::put(std::list<waiting_request>& list, std::list<waiting_request>& from)
{
    list.splice(list.end(), from, from.begin());
    list.back().home = &list;
    list.back().self = std::prev(list.end());
}

waiting_request& start_queue::hold(const start_rule& rule, std::string_view text)
{
    std::list<waiting_request> fresh;
    waiting_request& entry = fresh.emplace_back();
    entry.stage = slot::state::waiting;
    entry.text = text;
    entry.rule = rule;
    if (is_barred_ || !held_.empty() || rule.exclusive) {
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
    if (rule.bars_others())
        is_barred_ = true;
    if (rule.max_concurrent != 0)
        ++lanes_[rule.method].running;
}

void start_queue::on_end(const start_rule& rule)
{
    --running_;
    if (rule.bars_others())
        is_barred_ = false;
    if (rule.max_concurrent == 0)
        return;
    --lanes_[rule.method].running;
    freed_.push_back(rule.method);
}

bool start_queue::take_ready(std::list<waiting_request>& out)
{
    // What waits in a lane came before everything that is held, so a barrier does not concern it.
    for (; !freed_.empty(); freed_.pop_back()) {
        lane& own = lanes_[freed_.back()];
        if (own.waiting.empty() || own.running >= own.waiting.front().rule.max_concurrent)
            continue;
        --in_lanes_;
        put(out, own.waiting);
        return true;
    }
    while (!is_barred_ && !held_.empty()) {
        const start_rule& rule = held_.front().rule;
        if (has_room(rule)) {
            put(out, held_);
            return true;
        }
        if (rule.exclusive)
            return false;
        put(lanes_[rule.method].waiting, held_);
        ++in_lanes_;
    }
    return false;
}

void start_queue::remove(waiting_request& waiting)
{
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
}

} // namespace partyline
