#include "session/conversation.hpp"
#include "session/requests/error_replies.hpp"
#include "session/serve/offloaded_request.hpp"
#include "session/trace_reader.hpp"

#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace partyline {

// Begins the record of what has been read, and asks the message hook.
std::optional<error_object> conversation::show_arrival(const message& m, std::string_view text, bool is_element)
{
    const outlet& via = intake_.via();
    tap_.note_arrival(m, text.size(), is_element, via.number());
    if (tap_.record()) {
        tap_.record().set_key(admission_.key_of(m, intake_.reader()));
        read_trace(m);
    }
    return tap_.incoming(m, text, is_element, via.number());
}

// That of the message wins over that of the request of HTTP, or of the handshake, which it came by.
void conversation::read_trace(const message& m)
{
    std::optional<trace_context> sender;
    if (const std::string_view name = context_.protocol.metadata; !name.empty() && may_have_trace(m.params))
        sender = partyline::read_trace(intake_.reader().find_param(name), intake_.reader());
    if (!sender)
        sender = intake_.via().sender().trace;
    tap_.record().set_trace(sender ? sender->child() : trace_context::make_root());
}

std::optional<decision> conversation::ask_profile(const message& m, bool is_id_taken, std::any& facts)
{
    profile_ruling by = admission_.rule(m, intake_.reader(), is_id_taken);
    if (tap_.record()) [[unlikely]]
        tap_.record().set_protocol_version(std::string(admission_.protocol_version(m, intake_.reader())));
    if (by.watch_process && host_)
        host_->watch_process(*by.watch_process);
    if (!by.log_line.empty())
        log(by.log_line);
    facts = std::move(by.facts);
    return std::move(by.instead);
}

bool conversation::is_progress_of_call(const message& m)
{
    if (calls_.empty() || m.method != context_.protocol.progress_method)
        return false;
    const std::optional<told_progress> told = context_.protocol.read_progress(m.params, intake_.reader());
    return told && calls_.on_progress(told->token, told->value);
}

void conversation::take_reply(const message& m, std::string_view text, bool is_element)
{
    calls_.on_response(m, text, is_element, intake_.via().number(), last_call_id_.load(std::memory_order_relaxed));
}

// Each request is refused under its id, as far as the answer has room: what an error without id is about, a peer that
// has several batches under way can't know. One such stands for the rest. Replies to calls of ours are taken.
void conversation::refuse_whole_batch(const std::optional<error_object>& error)
{
    constexpr std::size_t longest = 256; // of a refusal, but for its id
    const std::size_t room = context_.options.bounds.message_bytes;
    outlet& via = intake_.via();
    const error_object refusal = error ? *error : busy_error(via.cap(), via.held());
    batch_reply replies(via);
    bool is_owed = false; // to somebody who has not been told
    via.add_use();
    for (const std::string_view element : intake_.reader().elements()) {
        const message& m = intake_.reader().read_element(element);
        if (m.type == message_type::reply)
            take_reply(m, element, true);
        else if (!m.id.empty() && replies.size() + element.size() + longest < room)
            refuse_element(m, element, refusal, replies);
        else {
            show_arrival(m, element, true);
            const bool is_told = m.type != message_type::notification; // once for all of them
            tap_.record().end(is_told ? request_disposition::refused : request_disposition::dropped);
            is_owed = true;
        }
    }
    if (is_owed)
        via.writer().refuse({}, {}, refusal, &replies);
    via.writer().send(replies);
    via.drop_use();
}

void conversation::refuse_element(const message& m, std::string_view text, const error_object& refusal,
                                  batch_reply& replies)
{
    outlet& via = intake_.via();
    show_arrival(m, text, true);
    const bool is_bad = m.type == message_type::bad;
    if (m.type == message_type::request && requests_.find(m.id_key))
        via.writer().refuse({}, m.method, duplicate_error(m.id), &replies);
    else
        via.writer().refuse(admission_.returned_id(m.id), m.method, is_bad ? defect_error(m.problem) : refusal,
                            &replies);
    tap_.record().end(request_disposition::refused);
}

// An array may have replies beside requests: then both sides are told.
void conversation::on_oversize(const frame& f)
{
    message nothing;
    if (!f.is_batch || f.looks_like_response)
        nothing.id = f.id;
    if (f.looks_like_response)
        nothing.type = message_type::reply;
    tap_.note_arrival(nothing, f.size, false, 0);
    tap_.incoming(nothing, {}, false, 0);
    const bool is_given_up = intake_.was_given_up(f);
    if (f.looks_like_response || (f.is_batch && !f.id.empty()))
        calls_.on_lost({f.id, f.is_batch}, last_call_id_.load(std::memory_order_relaxed),
                       is_given_up ? errc::overloaded : errc::message_too_large);
    if (f.looks_like_response)
        return;
    if (is_given_up && !f.is_batch &&
        f.id.empty()) { // most likely a notification: to drop it could leave our state wrong
        log("no memory for a notification of " + std::to_string(f.size) +
            " bytes: the sessions of this program share " + std::to_string(intake_.share().limit()));
        tap_.record().end(request_disposition::dropped);
        return stop(errc::overloaded, {errc::overloaded});
    }
    if (!admission_.answers()) {
        tap_.record().end(request_disposition::dropped);
        return log("dropped a message that is too long, and not answered in this protocol");
    }
    out().writer().refuse(admission_.returned_id(nothing.id), {}, intake_.oversize_error(f), nullptr);
    tap_.record().end(request_disposition::refused);
}

// There is no id to answer to; and when nobody knows where the next message begins, input is as good as over.
void conversation::on_bad_header(const frame& f)
{
    const error_object error = header_error(f.problem);
    const message nothing;
    tap_.note_arrival(nothing, f.size, false, 0);
    tap_.incoming(nothing, {}, false, 0);
    if (admission_.answers())
        out().writer().refuse({}, {}, error, nullptr);
    tap_.record().end(admission_.answers() ? request_disposition::refused : request_disposition::dropped);
    if (f.is_broken)
        end_of_input({errc::bad_header, std::string(f.problem), true});
}

void conversation::on_overload(const message& m, const shortage& of)
{
    log("no room for the notification \"" + std::string(m.method) + "\": the limit is " + std::to_string(of.limit) +
        ", it takes " + std::to_string(of.value));
    stop(errc::overloaded, {errc::overloaded});
}

bool conversation::has_slot_for(std::size_t bytes) const noexcept
{
    return admission_.queue().has_slot_for(bytes);
}

error_code conversation::push(outlet& via, std::string text)
{
    const limits& bounds = context_.options.bounds;
    if (context_.end.ignores_input() || via.is_dropped())
        return errc::session_closed;
    if (text.size() > bounds.message_bytes)
        return errc::message_too_large;
    const bool has_room = intake_.pushed_bytes() == 0 || intake_.pushed_bytes() + text.size() <= bounds.waiting_bytes;
    const bool has_share = text.size() <= std::max(intake_.share().left(), memory_budget::always);
    if (!has_room || !has_share || via.is_full())
        return errc::overloaded;
    intake_.push(std::move(text), via);
    via.add_use();
    drive();
    if (intake_.has_pushed())
        request_turn(); // this one does not take it, or not now
    return {};
}

// Tells the driver that a pushed message has been read; false when its outlet was cancelled.
bool conversation::is_wanted(const message& taken)
{
    outlet& via = intake_.via();
    via.drop_use();
    if (outlet::user* const told = via.listener())
        told->on_taken(taken, intake_.reader());
    return !via.is_cancelled();
}

void conversation::release(outlet& unused)
{
    outlets_.release(unused);
    calls_.drop_waiting(unused, errc::peer_gone);
    request_turn();
}

void conversation::abandon(outlet& via, bool cancels)
{
    via.close(cancels);
    calls_.drop_waiting(via, errc::peer_gone);
    if (cancels && !context_.end.has_ended()) {
        for (std::size_t dropped = intake_.drop_pushed(via); dropped != 0; --dropped)
            via.drop_use();
        if (intake_.batch() && &intake_.batch()->to() == &via)
            drop_rest_of_batch();
        const std::vector<incoming_request*> its(via.requests().begin(), via.requests().end());
        for (incoming_request* const r : its) {
            if (via.requests().contains(r)) // one that is cancelled may take others with it
                guarded([&] { cancellation_.cancel(*r, cancel_cause::abandoned); });
        }
    }
    request_turn();
}

// By a reader of its own: a handler may still use the params of the element that was taken last.
void conversation::drop_rest_of_batch() noexcept
{
    const std::span<const std::string_view> rest = intake_.drop_rest_of_batch();
    if (rest.empty() || !context_.options.on_served)
        return;
    try {
        message_reader reader(context_.options.bounds, nullptr, context_.options.lone_surrogates);
        for (const std::string_view text : rest)
            tap_.note_lost_element(reader.read_element(text), text.size(), intake_.batch()->to().number());
    } catch (const std::bad_alloc&) { // then nobody is told
    }
}

void conversation::wait_for_turn(const message& m, const method& target, std::string_view text, std::any facts)
{
    waiting_request& waiting = admission_.queue().wait({&target.options, size_of(text)}, text);
    set_origin(waiting, nullptr); // before anything can throw: it stands in the queue already
    waiting.set_callee(target, m.method);
    waiting.id.assign(m.id, m.id_key);
    waiting.facts = std::move(facts);
    requests_.list_id(waiting);
    waiting.via->enter(waiting);
    admission_.count_waiting();
}

void conversation::offload(const message& m, const method& target, const start_rule& rule, waiting_request* waited,
                           std::any& facts)
{
    const auto request = std::make_shared<offloaded_request>(*this, std::string(m.params.text()), target.options);
    request->assign(m, target, rule);
    set_origin(*request, waited);
    if (facts.has_value())
        request->more().facts = std::move(facts);
    admission_.queue().on_start(request->rule);
    try {
        enter(*request);
        request->start();
    } catch (...) {
        finish(
            *request,
            error_for(*request, std::current_exception())); // it goes away with this scope, so nothing may refer to it
    }
}

} // namespace partyline
