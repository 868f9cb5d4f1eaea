// The sessions of a front: how they are opened, and end.

#include "fleet/front/front_message.hpp"
#include "fleet/front/front_service.hpp"
#include "fleet/front/refusal.hpp"

#include <partyline/fleet/fleet_errc.hpp>

#include <boost/json/object.hpp>

#include <new>
#include <string>
#include <utility>

namespace partyline::fleet {
namespace {

constexpr std::chrono::seconds opening_time{30};

std::string worded(const error_object& refused)
{
    const auto* const data = refused.data ? refused.data->if_object() : nullptr;
    const auto* const reason = data ? data->if_contains("reason") : nullptr;
    return refused.message + (reason && reason->is_string() ? ": " + std::string(reason->get_string()) : std::string());
}

void tell(const wanted_session& wanted, const error_object* refused)
{
    if (wanted.on_opened)
        wanted.on_opened(refused);
}

} // namespace

std::weak_ptr<channel::carrier> front_service::channels()
{
    return std::shared_ptr<channel::carrier>(shared_from_this(), &channels_);
}

void front_service::refuse(channel& one, const wanted_session& wanted, front_outcome why)
{
    const error_object refused = refusal_of_opening(why);
    tell(wanted, &refused);
    one.fail({fleet_errc::not_opened, worded(refused), true, true});
}

void front_service::open(const std::shared_ptr<channel>& one, wanted_session wanted)
{
    if (is_closed_ || is_unreachable()) {
        const front_outcome why = is_closed_ ? front_outcome::closed : front_outcome::unreachable;
        core_.count(why);
        tell_totals();
        return refuse(*one, wanted, why);
    }
    new_call call;
    call.session = wanted.kind;
    call.is_idempotent = true;
    call.deadline = opening_time;
    call.peer = calling_peer_of(wanted.peer.get());
    call.client = wanted.client.empty() && wanted.peer ? client_of(*wanted.peer) : wanted.client;
    call.traceparent = wanted.traceparent;
    std::uint64_t number = 0;
    try {
        number = core_.enter(std::move(call), current_moment());
        openings_.emplace(number, std::move(wanted));
        channels_.add(number, one);
    } catch (const std::bad_alloc&) { // if a worker opens it nevertheless, that is told so
        openings_.erase(number);
        return one->fail({errc::session_failed, {}, true, true});
    }
    carry_out_what_it_can();
}

void front_service::settle_opening(const call_settled& one)
{
    const auto known = openings_.extract(one.number);
    const std::shared_ptr<channel> asked = channels_.find(one.number);
    if (known.empty() || !asked) {
        if (one.outcome == front_outcome::opened)
            drop_session(one);
        return;
    }
    try {
        if (one.outcome == front_outcome::opened)
            begin(*asked, known.mapped(), one);
        else
            refuse(*asked, known.mapped(), one.outcome);
    } catch (const std::bad_alloc&) { // it must not wait for ever
        asked->fail({errc::session_failed, {}, true, true});
    }
}

// Nobody wants it any more: its worker is told.
void front_service::drop_session(const call_settled& opened)
{
    core_.cancel(opened.number);
    carry_out(session_answered{opened.number, opened.run});
}

void front_service::begin(channel& opened, const wanted_session& wanted, const call_settled& by)
{
    channel_ends ends{{name_, by.number}, by.run, run_session_subject(by.run)};
    opened.open(channel_core(std::move(ends), std::chrono::steady_clock::now(), channel_limits_for(max_payload_)));
    tell(wanted, nullptr);
}

// The reply of the session's worker comes again where it was not confirmed; any other has opened one too many.
void front_service::carry_out(const session_answered& one)
{
    channel_message asked;
    asked.id = {name_, one.number};
    asked.run = one.run;
    channels_.refuse_unknown(asked);
}

void front_service::on_channel_end(std::uint64_t number)
{
    openings_.erase(number);
    core_.cancel(number);
    if (is_closed_ && channels_.size() == 0)
        return detach();
    carry_out();
}

} // namespace partyline::fleet
