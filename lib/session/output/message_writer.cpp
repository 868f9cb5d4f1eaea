#include "session/output/message_writer.hpp"

#include "session/requests/error_replies.hpp"

#include <partyline/protocol/writer.hpp>
#include <partyline/session/handler.hpp>

#include <algorithm>
#include <optional>

namespace partyline {
namespace {

// Of a message as we write them. (What began as a result may have become an error.)
bool is_error_reply(std::string_view text, std::string_view id)
{
    constexpr std::string_view before = R"({"jsonrpc":"2.0","id":)";
    constexpr std::string_view null = "null";
    const std::size_t head = before.size() + (id.empty() ? null.size() : id.size());
    return text.size() > head && text.starts_with(before) && text.substr(head).starts_with(R"(,"error":)");
}

} // namespace

// Writes one message, by `write(buffer, room)`, to where it belongs.
template <class Write>
void message_writer::write_message(batch_reply* batch, const origin& from, Write write)
{
    if (batch)
        return write_element(*batch, from, write);
    if (from.request && from.request->kept) [[unlikely]]
        return write_kept(*from.request->kept, write);
    outbox::message out(box_);
    write(out.buffer(), room_for_message());
    if (!tap_ || may_pass(out.text(), from, false)) [[likely]]
        out.commit();
}

reply_room message_writer::room_for_message(std::size_t used) const
{
    const std::size_t left = box_.left_by_others();
    if (left >= bounds_.message_bytes) [[likely]]
        return {bounds_.message_bytes, used};
    return {left, used, 0, "the sessions of this program hold as much as they may"};
}

// What the outbox has for those that are not its own yet: short ones always go in.
reply_room message_writer::room_for(std::size_t used, const char* reason) const
{
    constexpr std::size_t short_reply = 256; // no longer than the error that would stand in for it
    return {bounds_.outbox_hard_bytes, used, short_reply, reason};
}

// Results that wait for the rest of their batch count with the outbox: they can't be held back any further.
template <class Write>
void message_writer::write_element(batch_reply& batch, const origin& from, Write write)
{
    const std::size_t before = batch.size();
    try {
        byte_buffer& out = batch.begin_reply();
        const reply_room in_message = room_for_message(out.size() + 1); // 1: the closing bracket
        const reply_room in_outbox = room_for(box_.held(), "too much waits for batches to be complete");
        write(out, in_outbox.bytes() < in_message.bytes() ? in_outbox : in_message);
        box_.hold(out.size() - before);
        if (tap_) [[unlikely]]
            may_pass(out.view().substr(before + 1), from, true); // 1: the bracket or comma
    } catch (...) {
        batch.take_back(before);
        throw;
    }
}

// Its handler has ended, so to let that wait would save nothing: what does not fit becomes an error. The first one fits.
template <class Write>
void message_writer::write_kept(byte_buffer& out, Write write)
{
    out.clear(); // of an attempt that was broken off
    const reply_room in_message = room_for_message();
    const reply_room in_outbox = room_for(box_.kept(), "too much waits for the peer to read");
    const bool is_bounded = box_.kept() != 0 && !loses_nothing_;
    write(out, is_bounded && in_outbox.bytes() < in_message.bytes() ? in_outbox : in_message);
    byte_buffer text; // without the memory of a result that an error stands in for
    text.reserve(out.size());
    text.append(out.view());
    out.swap(text);
}

template <class Write>
bool message_writer::write_result(const incoming_request& to, Write write)
{
    bool is_whole = true;
    write_message(to.batch.get(), {to.id.text(), {}, &to}, [&](byte_buffer& out, const reply_room& room) {
        const std::size_t start = out.size();
        write_reply_head(out, to.id.text());
        const std::optional<unwritable> problem = write(out);
        if (!problem)
            write_tail(out);
        const std::size_t length = out.size() - start;
        if (!problem && length <= room.bytes()) [[likely]]
            return;
        is_whole = false;
        out.truncate(start);
        const error_object error = problem ? unwritable_error(*problem) : no_room_error(room, length);
        write_error(out, to.id.text(), error, bounds_.depth);
    });
    return is_whole;
}

bool message_writer::result(const incoming_request& to, const boost::json::value& value)
{
    return write_result(to, [&](byte_buffer& out) { return write_value(out, value, bounds_.depth); });
}

bool message_writer::result(const incoming_request& to, json_view text)
{
    return write_result(to, [&](byte_buffer& out) {
        write_text(out, text.empty() ? json_view::checked("null") : text);
        return std::optional<unwritable>();
    });
}

bool message_writer::result(const incoming_request& to, const json_text& text)
{
    return write_result(to, [&](byte_buffer& out) { return write_text(out, text, bounds_.depth); });
}

void message_writer::error(const incoming_request& to, const error_object& error)
{
    write_message(to.batch.get(), {to.id.text(), {}, &to}, [&](byte_buffer& out, const reply_room& room) {
        const std::size_t start = out.size();
        write_error(out, to.id.text(), error, bounds_.depth);
        const std::size_t length = out.size() - start;
        if (length <= room.bytes()) [[likely]]
            return;
        out.truncate(start);
        write_error(out, to.id.text(), no_room_error(room, length), bounds_.depth);
    });
}

void message_writer::reject(std::string_view id, std::string_view method, const error_object& error, batch_reply* batch)
{
    write_message(batch, {id, method},
                  [&](byte_buffer& out, const reply_room&) { write_error(out, id, error, bounds_.depth); });
}

void message_writer::accept(std::string_view id, std::string_view method, batch_reply* batch)
{
    write_message(batch, {id, method}, [&](byte_buffer& out, const reply_room&) {
        write_reply_head(out, id);
        out.append("null");
        write_tail(out);
    });
}

void message_writer::notification(std::string_view method, json_view params, const incoming_request* about)
{
    const std::string_view id = about ? about->id.text() : std::string_view();
    write_message(nullptr, {id, method, nullptr, message_event::kind::notification},
                  [&](byte_buffer& out, const reply_room&) { write_notification(out, method, params); });
}

void message_writer::drop_hold(batch_reply& batch)
{
    if (!batch.drop_hold() || batch.empty())
        return;
    box_.release(batch.size());
    write_message(nullptr, {{}, {}, nullptr, message_event::kind::batch},
                  [&](byte_buffer& out, const reply_room&) { out.append(batch.finish()); });
}

void message_writer::forward(const incoming_request& from)
{
    outbox::message out(box_);
    out.buffer().append(from.kept->view());
    if (tap_) [[unlikely]]
        may_pass(out.text(), {from.id.text(), {}, &from}, false);
    out.commit();
}

// Whether a notification may go out; of replies the hook is only told.
bool message_writer::may_pass(std::string_view text, const origin& from, bool is_element) const
{
    message_event event{message_event::direction::out, from.what, is_element, is_error_reply(text, from.id), text, from.id,
                        from.method, {}};
    if (from.request && from.request->callee) {
        event.method = from.request->callee->name;
        event.latency = std::chrono::steady_clock::now() - from.request->arrival;
    }
    const std::optional<error_object> refusal = tap_.ask(event);
    return !refusal || from.what != message_event::kind::notification;
}

} // namespace partyline
