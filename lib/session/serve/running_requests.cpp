#include "session/serve/running_requests.hpp"

namespace partyline {

void running_requests::enter(served_request& suspended)
{
    list_.push_back(suspended);
    counters_.in_flight.add(1);
    list_id(suspended);
}

void running_requests::forget_all() noexcept
{
    while (!list_.empty()) {
        served_request& r = list_.front();
        list_.pop_front();
        if (request_extras* const extras = r.extras()) {
            extras->deadline.reset();
            extras->release_calls(); // what these hold is the handler, which holds the session
        }
        r.record.lose();
        r.on_given_up(); // it may go away with that
    }
}

} // namespace partyline
