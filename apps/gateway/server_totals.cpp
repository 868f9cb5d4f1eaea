#include "gateway/server_totals.hpp"

namespace gateway {

server_totals::place server_totals::take_place()
{
    std::size_t taken = places_;
    do {
        if (taken >= most_places_)
            return nullptr;
    } while (!places_.compare_exchange_weak(taken, taken + 1));
    return {this, [self = shared_from_this()](const void*) { --self->places_; }};
}

void server_totals::note_given_up(bool is_given_up) noexcept
{
    is_given_up ? ++given_up_ : --given_up_;
}

void server_totals::note_failure()
{
    have_failed_ = true;
    if (on_failure_)
        on_failure_();
}

} // namespace gateway
