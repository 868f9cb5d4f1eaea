#include "session/message_tap.hpp"

namespace partyline {

using clock = std::chrono::steady_clock;

namespace {

bool has_record(const message& m) noexcept
{
    return m.type != message_type::reply && m.type != message_type::batch;
}

} // namespace

void message_tap::note_arrival(const message& m, std::size_t bytes, bool is_element, outlet_number outlet)
{
    arrival_ = clock::now();
    record_.lose(); // nothing is left of the one before, unless an exception has left it
    if (session_.options.on_served && has_record(m))
        record_ = served_record(session_, {m, bytes, is_element, outlet, arrival_});
}

void message_tap::note_lost_element(const message& m, std::size_t bytes, outlet_number outlet) const
{
    if (has_record(m))
        served_record(session_, {m, bytes, true, outlet, arrival_}).lose();
}

std::optional<error_object> message_tap::incoming(const message& m, std::string_view text, bool is_element,
                                                  outlet_number outlet) const
{
    if (!hook_)
        return std::nullopt;
    message_event event{message_direction::in, m.type, is_element, text, m.id, m.method};
    event.outlet = outlet;
    std::optional<error_object> refusal = show(event);
    if (m.type != message_type::request && m.type != message_type::notification)
        refusal.reset();
    return refusal;
}

void message_tap::incoming_reply(const message& m, int error_code, std::string_view text, bool is_element,
                                 outlet_number outlet, std::string_view method, clock::time_point called) const
{
    if (!hook_)
        return;
    message_event event{message_direction::in, message_type::reply, is_element, text, m.id, method};
    event.is_error = m.is_error;
    event.error_code = error_code;
    event.outlet = outlet;
    if (!method.empty())
        event.latency = clock::now() - called;
    show(event);
}

void message_tap::outgoing_reply(const answer_given& how, clock::time_point read, std::string_view text,
                                 bool is_element, outlet_number outlet) const
{
    if (!hook_)
        return;
    message_event event{message_direction::out, message_type::reply, is_element, text, how.id, how.method};
    event.is_error = how.outcome == answer_outcome::error;
    event.error_code = how.error_code;
    event.outlet = outlet;
    event.latency = clock::now() - read;
    show(event);
}

std::optional<error_object> message_tap::outgoing(message_type type, std::string_view id, std::string_view method,
                                                  std::string_view text, bool is_element, outlet_number outlet) const
{
    if (!hook_)
        return std::nullopt;
    message_event event{message_direction::out, type, is_element, text, id, method};
    event.outlet = outlet;
    return show(event);
}

std::optional<error_object> message_tap::show(const message_event& event) const noexcept
{
    try {
        return hook_(event);
    } catch (...) {
        user_.on_hook_failed(std::current_exception());
        return std::nullopt;
    }
}

} // namespace partyline
