#include "transport/stdio/input_spin.hpp"

#include "transport/stdio/idle_spin.hpp"

#include <boost/asio/post.hpp>

#include <new>
#include <utility>

#ifdef __linux__
#include <sched.h>
#endif

namespace asio = boost::asio;

namespace partyline {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds no_wait(2); // what was there already is no sign of anything

} // namespace

struct input_spin::state {
    asio::any_io_executor executor;
    idle_spin rule = {};
    clock::time_point begin = {}; // of the wait
    bool is_awake = false;
    bool is_posted = false;
};

input_spin::input_spin(asio::any_io_executor executor) : state_(std::make_shared<state>(state{std::move(executor)})) {}

bool input_spin::is_possible() noexcept
{
#ifdef __linux__
    cpu_set_t usable;
    return ::sched_getaffinity(0, sizeof usable, &usable) == 0 && CPU_COUNT(&usable) >= 2;
#else
    return false;
#endif
}

void input_spin::on_wait()
{
    state_->begin = clock::now();
    state_->is_awake = state_->rule.is_wanted();
    if (state_->is_awake && !state_->is_posted)
        post(state_);
}

void input_spin::on_input()
{
    const bool was_awake = std::exchange(state_->is_awake, false);
    const auto waited = clock::now() - state_->begin;
    if (waited < no_wait)
        return;
    if (was_awake)
        state_->rule.on_found(waited);
    else
        state_->rule.on_slept(waited);
}

// Without memory for that it sleeps at once.
void input_spin::post(std::shared_ptr<state> of) noexcept
{
    const std::shared_ptr<state> all = of;
    try {
        asio::post(all->executor, [of = std::move(of)]() mutable { look(std::move(of)); });
        all->is_posted = true;
    } catch (const std::bad_alloc&) {
    }
}

void input_spin::look(std::shared_ptr<state> of)
{
    of->is_posted = false;
    if (!of->is_awake)
        return;
    if (clock::now() - of->begin < idle_spin::longest)
        return post(std::move(of));
    of->is_awake = false;
    of->rule.on_nothing();
}

} // namespace partyline
