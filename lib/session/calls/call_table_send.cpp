#include "session/calls/call_table.hpp"
#include "session/calls/object_text.hpp"

#include <partyline/protocol/writer.hpp>

#include <utility>

namespace partyline {
namespace {

// The params of a call whose progress is wanted: object params name the token, for peers that do not take the id. A
// token of the caller's own gives way: progress is told by the id, and no name may be there twice. Where params can be
// nothing but an object, a call without any gets one.
std::string with_token(const std::string& params, const profile& protocol, std::uint64_t id)
{
    const bool has_object = is_object(params) || (params.empty() && !protocol.allows_array_params);
    if (!has_object || protocol.progress_token.empty())
        return params;
    const std::string token = std::to_string(id);
    if (protocol.token_parent.empty())
        return with_member(params, protocol.progress_token, token);
    const std::string parent = is_object(params) ? member_of(params, protocol.token_parent) : std::string();
    return with_member(params, protocol.token_parent, with_member(parent, protocol.progress_token, token));
}

} // namespace

void call_table::send(outgoing_message& ready)
{
    try {
        send_or_give_up(ready);
    } catch (...) {
        give_up(ready, errc::session_failed, {}); // nobody else would find a notification that waits no longer
        throw;
    }
}

void call_table::send_or_give_up(outgoing_message& ready)
{
    outbox::message out(*ready.via);
    const bool is_something = ready.is_batch() ? write_batch(ready, out) : write(ready, out);
    if (!is_something)
        return;
    if (out.text().size() > context_.options.bounds.message_bytes)
        return give_up(ready, errc::message_too_large, {});
    if (ready.open != 0)
        note_unanswered(ready);
    out.commit();
    context_.counters.calls.add(ready.calls);
    ready.on_sent();
}

void call_table::note_unanswered(outgoing_message& sent)
{
    if (sent.is_batch()) {
        sent.unanswered = unanswered_batches_.insert(unanswered_batches_.end(), &sent);
    } else {
        sent.is_unanswered = true;
        ++unanswered_calls_;
    }
}

bool call_table::write(outgoing_message& ready, outbox::message& out)
{
    const outgoing_element& what = ready.element(0);
    if (what.answer) [[unlikely]] {
        end_unsent(ready, 0, what, *what.answer);
        return false;
    }
    write_element(ready, what, ready.first_id, out.buffer());
    return is_allowed(ready, 0, what, out.text());
}

// False when the hook has left nothing of it.
bool call_table::write_batch(outgoing_message& ready, outbox::message& out)
{
    batch_writer all(out.buffer());
    byte_buffer text;
    std::size_t call = 0;
    bool is_refused = false;
    for (std::size_t i = 0; i != ready.size(); ++i) {
        const outgoing_element& what = ready.element(i);
        const std::size_t own = call;
        call += what.is_call ? 1 : 0;
        if (what.answer) [[unlikely]] {
            is_refused = is_refused || !*what.answer;
            end_unsent(ready, own, what, *what.answer);
            continue;
        }
        text.clear();
        write_element(ready, what, ready.first_id + own, text);
        if (!is_allowed(ready, own, what, text.view())) {
            is_refused = true;
            continue;
        }
        all.begin_element();
        out.buffer().append(text.view());
    }
    all.end();
    if (!all.empty())
        tap_.outgoing(message_type::batch, {}, {}, out.text(), false, ready.via->number());
    else if (ready.calls == 0 && is_refused)
        ready.on_dropped(errc::refused);
    else if (ready.calls == 0)
        ready.on_sent(); // middleware has answered all of it
    return !all.empty();
}

void call_table::write_element(const outgoing_message& from, const outgoing_element& what, std::uint64_t id,
                               byte_buffer& out) const
{
    if (!what.is_call)
        return write_notification(out, what.method, json_view::checked(what.params));
    const std::string number = std::to_string(id);
    if (!from.wants_progress() || !from.options.asks_progress())
        return write_request(out, number, what.method, json_view::checked(what.params));
    const std::string params = with_token(what.params, context_.protocol, id);
    write_request(out, number, what.method, json_view::checked(params));
}

// A notification in a batch has nobody of its own who waits for it.
void call_table::end_unsent(outgoing_message& from, std::size_t call, const outgoing_element& what, response reply)
{
    const error_code failed = reply.code();
    if (what.is_call)
        end(from, call, failed, std::move(reply));
    else if (!from.is_batch() && reply)
        from.on_sent();
    else if (!from.is_batch())
        from.on_dropped(errc::refused);
}

// Asks the hook; ends what it refuses.
bool call_table::is_allowed(outgoing_message& from, std::size_t call, const outgoing_element& what,
                            std::string_view text)
{
    const std::string id = what.is_call ? std::to_string(from.first_id + call) : std::string();
    const message_type type = what.is_call ? message_type::request : message_type::notification;
    std::optional<error_object> refusal =
        tap_.outgoing(type, id, what.method, text, from.is_batch(), from.via->number());
    if (!refusal) [[likely]]
        return true;
    end_unsent(from, call, what, std::move(*refusal));
    return false;
}

bool call_table::send_waiting(outlet& via)
{
    bool is_something = false;
    for (; !via.waiting().empty() && !via.is_behind() && !via.has_kept(); is_something = true) {
        const auto next = static_cast<outgoing_message&>(via.waiting().front()).shared_from_this();
        stop_waiting(*next);
        send(*next);
    }
    return is_something;
}

void call_table::drop_waiting(outlet& via, error_code why) noexcept
{
    while (!via.waiting().empty())
        give_up(static_cast<outgoing_message&>(via.waiting().front()), why, {});
}

} // namespace partyline
