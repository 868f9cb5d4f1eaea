#include "http/serve/timed_connections.hpp"

#include <algorithm>
#include <utility>

namespace partyline::http {

bool timed_connections::empty() const noexcept
{
    return busy_.empty() &&
           std::all_of(waiting_.begin(), waiting_.end(), [](const list& each) { return each.empty(); });
}

void timed_connections::place(timed_connection& one, state in) noexcept
{
    list& to = in == state::busy ? busy_ : waiting_[static_cast<std::size_t>(in)];
    if (one.among_ == &to)
        return;
    remove(one);
    to.push_back(one);
    one.among_ = &to;
}

void timed_connections::remove(timed_connection& one) noexcept
{
    if (list* const among = std::exchange(one.among_, nullptr))
        among->erase(among->iterator_to(one));
}

// Each one, whichever of them leave or come meanwhile.
template <class Step>
void timed_connections::for_each_busy(const Step& step)
{
    for (std::size_t left = busy_.size(); left != 0 && !busy_.empty(); --left) {
        timed_connection& one = busy_.front();
        busy_.splice(busy_.end(), busy_, busy_.begin());
        step(one);
    }
}

void timed_connections::on_tick(timed_connection::clock::time_point now)
{
    for (list& waiting : waiting_) {
        while (!waiting.empty() && waiting.front().has_waited_too_long(now))
            waiting.front().stop_at_once();
    }
    for_each_busy([&](timed_connection& one) { one.on_tick(now); });
}

void timed_connections::give_up() noexcept
{
    for (list& waiting : waiting_) {
        while (!waiting.empty())
            waiting.front().stop_at_once();
    }
    for_each_busy([](timed_connection& one) { one.give_up(); });
}

} // namespace partyline::http
