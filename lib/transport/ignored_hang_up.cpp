#include "transport/ignored_hang_up.hpp"

namespace partyline {
namespace {

struct hang_up_state {
    std::mutex mutex;
    int takers = 0;
};

hang_up_state& state_of_hang_up()
{
    static hang_up_state& state = *new hang_up_state; // children may be started until the very end
    return state;
}

void ignore(struct sigaction* before) noexcept
{
    struct sigaction none = {};
    none.sa_handler = SIG_IGN;
    ::sigaction(SIGHUP, &none, before);
}

} // namespace

void ignored_hang_up::note_taken()
{
    hang_up_state& state = state_of_hang_up();
    const std::lock_guard<std::mutex> hold(state.mutex);
    ++state.takers;
}

void ignored_hang_up::give_up() noexcept
{
    hang_up_state& state = state_of_hang_up();
    const std::lock_guard<std::mutex> hold(state.mutex);
    if (--state.takers == 0)
        ignore(nullptr);
}

ignored_hang_up::ignored_hang_up() : hold_(state_of_hang_up().mutex)
{
    if (state_of_hang_up().takers == 0)
        hold_.unlock();
    else
        ignore(&before_);
}

ignored_hang_up::~ignored_hang_up()
{
    if (hold_)
        ::sigaction(SIGHUP, &before_, nullptr);
}

} // namespace partyline
