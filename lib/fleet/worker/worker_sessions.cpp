// The sessions of a worker: how they are opened, and end.

#include "fleet/worker/served_session.hpp"
#include "fleet/worker/worker_service.hpp"
#include "transport/session_driver.hpp"

#include <chrono>
#include <exception>
#include <utility>

namespace partyline::fleet {

void worker_service::carry_out(session_wanted& one)
{
    core_.on_opened(one.run, open_session(one.run, one.opening), current_moment());
}

bool worker_service::open_session(std::uint64_t run, const item& opening)
try {
    if (phase_ != phase::running)
        return false;
    session_options its = options_.session;
    std::shared_ptr<const dispatcher> methods = make_methods(opening, its);
    if (phase_ != phase::running) // the maker may have closed this worker
        return false;
    const std::shared_ptr<channel::carrier> by(shared_from_this(), &channels_);
    channel_ends ends{opening.id, call_id{name_, run}.text(), session_subject(opening.id)};
    channel_core rules(std::move(ends), std::chrono::steady_clock::now(), channel_limits_for(max_payload_));
    const auto one = std::make_shared<channel>(executor_, by, std::move(rules));
    channels_.add(run, one);
    serve_session(one, executor_, std::move(methods), std::move(its), opening.traceparent);
    return true;
} catch (const std::exception& e) {
    if (const auto unused = channels_.find(run)) {
        unused->drop();
        unused->on_time(std::chrono::steady_clock::now()); // which ends it
    }
    log_failure("no session could be opened: ", e);
    return false;
}

void worker_service::on_channel_end(std::uint64_t number)
{
    if (phase_ == phase::ended)
        return;
    core_.on_session_end(number, current_moment());
    carry_out();
}

} // namespace partyline::fleet
