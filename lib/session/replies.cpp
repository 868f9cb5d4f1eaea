#include "session/replies.hpp"

#include "session/outcome.hpp"

#include <partyline/protocol/writer.hpp>
#include <partyline/session/handler.hpp>

#include <algorithm>
#include <optional>

namespace partyline {

// Writes one message, by `write(buffer, room)`, to where it belongs.
template <class Write>
void replies::write_message(batch_reply* batch, const origin& from, Write write)
{
    if (batch)
        return write_element(*batch, write);
    if (from.request && from.request->kept) [[unlikely]]
        return write(*from.request->kept, reply_room{bounds_.message_bytes});
    byte_buffer& out = box_.begin();
    write(out, reply_room{bounds_.message_bytes});
    if (trace_) [[unlikely]]
        trace_out(box_.message(), from);
    box_.commit();
}

// Results that wait for the rest of their batch count with the outbox: they can't be held back any further.
template <class Write>
void replies::write_element(batch_reply& batch, Write write)
{
    const std::size_t before = batch.size();
    byte_buffer& out = batch.begin_reply();
    constexpr std::size_t short_result = 256; // no longer than the error that would stand in for it
    const reply_room in_message{bounds_.message_bytes, out.size() + 1}; // 1: the closing bracket
    const reply_room in_outbox{bounds_.outbox_hard_bytes, box_.held(), short_result,
                               "too much waits for batches to be complete"};
    write(out, in_outbox.bytes() < in_message.bytes() ? in_outbox : in_message);
    box_.hold(out.size() - before);
}

template <class Write>
void replies::write_result(const slot& to, Write write)
{
    write_message(to.batch.get(), {to.id.text(), {}, &to}, [&](byte_buffer& out, const reply_room& room) {
        const std::size_t start = out.size();
        write_reply_head(out, to.id.text());
        const std::optional<unwritable> problem = write(out);
        if (!problem)
            write_tail(out);
        const std::size_t length = out.size() - start;
        if (!problem && length <= room.bytes()) [[likely]]
            return;
        out.truncate(start);
        const error_object error = problem ? unwritable_error(*problem) : no_room_error(room, length);
        write_error(out, to.id.text(), error, bounds_.depth);
    });
}

void replies::result(const slot& to, const boost::json::value& value)
{
    write_result(to, [&](byte_buffer& out) { return write_value(out, value, bounds_.depth); });
}

void replies::result(const slot& to, json_view text)
{
    write_result(to, [&](byte_buffer& out) {
        write_text(out, text.empty() ? json_view::checked("null") : text);
        return std::optional<unwritable>();
    });
}

void replies::result(const slot& to, const json_text& text)
{
    write_result(to, [&](byte_buffer& out) { return write_text(out, text, bounds_.depth); });
}

void replies::error(const slot& to, const error_object& error)
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

void replies::reject(std::string_view id, std::string_view method, const error_object& error, batch_reply* batch)
{
    write_message(batch, {id, method, nullptr},
                  [&](byte_buffer& out, const reply_room&) { write_error(out, id, error, bounds_.depth); });
}

void replies::notification(std::string_view method, json_view params, const slot* about)
{
    const std::string_view id = about ? about->id.text() : std::string_view();
    write_message(nullptr, {id, method, nullptr},
                  [&](byte_buffer& out, const reply_room&) { write_notification(out, method, params); });
}

void replies::drop_hold(batch_reply& batch)
{
    if (!batch.drop_hold() || batch.empty())
        return;
    box_.release(batch.size());
    write_message(nullptr, {}, [&](byte_buffer& out, const reply_room&) { out.append(batch.finish()); });
}

void replies::forward(const slot& from)
{
    box_.begin().append(from.kept->view());
    if (trace_) [[unlikely]]
        trace_out(box_.message(), {from.id.text(), {}, &from});
    box_.commit();
}

void replies::trace_out(std::string_view text, const origin& from) const
{
    trace_event event{trace_event::direction::out, text, from.id, from.method, std::nullopt};
    if (from.request && from.request->callee) {
        event.method = from.request->callee->name;
        event.latency = std::chrono::steady_clock::now() - from.request->arrival;
    }
    trace_(event);
}

} // namespace partyline
