#include "session/output/message_writer.hpp"

#include "session/requests/error_replies.hpp"

#include <partyline/protocol/writer.hpp>
#include <partyline/session/handler.hpp>

#include <optional>

namespace partyline {

inline message_writer::address message_writer::address_of(const incoming_request& to)
{
    return {to.id.text(), {}, to.of_batch.get(), &to};
}

inline reply_room message_writer::room_for_message(std::size_t used) const
{
    const std::size_t left = box_.left_by_others();
    if (left >= bounds_.message_bytes) [[likely]]
        return {bounds_.message_bytes, used};
    return {left, used, 0, "the sessions of this program hold as much as they may"};
}

// Writes one reply, by `write(buffer, room)`, to its batch, its kept reply or the outbox; returns what `write` does.
template <class Write>
inline reply_error message_writer::write_reply(const address& to, Write write)
{
    if (to.batch) [[unlikely]]
        return write_element(to, write);
    if (to.request && to.request->kept) [[unlikely]]
        return write_kept(*to.request->kept, write);
    return write_message(to, write);
}

// It is told of when it can't be taken back any more.
template <class Write>
inline reply_error message_writer::write_message(const address& to, Write write)
{
    outbox::message out(box_);
    const reply_error told = write(out.buffer(), room_for_message());
    if (tap_.is_observed()) [[unlikely]]
        show(to, told, out.text(), false);
    out.commit();
    if (listener_) [[unlikely]]
        tell(to, told);
    return told;
}

// The room that the cap leaves for replies that are held or kept; short ones always have room.
reply_room message_writer::room_for(std::size_t used, const char* reason) const
{
    constexpr std::size_t short_reply = 256; // no longer than the error that would stand in for it
    return {box_.cap(), used, short_reply, reason};
}

// Results that wait for the rest of their batch count with the outbox: they can't be held back any further.
template <class Write>
reply_error message_writer::write_element(const address& to, Write write)
{
    const std::size_t before = to.batch->size();
    try {
        byte_buffer& out = to.batch->begin_reply();
        const reply_room in_message = room_for_message(out.size() + 1); // 1: the closing bracket
        const reply_room in_outbox = room_for(box_.held(), "too much waits for batches to be complete");
        const reply_error told = write(out, in_outbox.bytes() < in_message.bytes() ? in_outbox : in_message);
        box_.hold(out.size() - before);
        if (tap_.is_observed())
            show(to, told, out.view().substr(before + 1), true); // 1: the bracket or comma
        if (listener_)
            tell(to, told);
        return told;
    } catch (...) {
        to.batch->take_back(before);
        throw;
    }
}

// The handler has ended, so making it wait would save nothing: except for the first one kept, a reply beyond the cap
// becomes an error.
template <class Write>
reply_error message_writer::write_kept(kept_reply& out, Write write)
{
    out.text.clear(); // of an attempt that was broken off
    const reply_room in_message = room_for_message();
    const reply_room in_outbox = room_for(box_.kept(), "too much waits for the peer to read");
    const bool is_bounded = box_.kept() != 0 && !loses_nothing_;
    out.error = write(out.text, is_bounded && in_outbox.bytes() < in_message.bytes() ? in_outbox : in_message);
    byte_buffer text; // without the memory of a result that an error stands in for
    text.reserve(out.text.size());
    text.append(out.text.view());
    out.text.swap(text);
    return out.error;
}

// Writes a reply with a result, by `write(buffer)`, which returns why it can't be.
template <class Write>
inline reply_error message_writer::write_result(const address& to, Write write)
{
    return write_reply(to, [&](byte_buffer& out, const reply_room& room) -> reply_error {
        const std::size_t start = out.size();
        const std::optional<unwritable> problem = write(out);
        const std::size_t length = out.size() - start;
        if (!problem && length <= room.bytes()) [[likely]]
            return std::nullopt;
        out.truncate(start);
        const error_object error = problem ? unwritable_error(*problem) : no_room_error(room, length);
        write_error(out, to.id, error);
        return error.code;
    });
}

void message_writer::write_error(byte_buffer& out, std::string_view id, const error_object& error) const
{
    partyline::write_error(out, id, error, bounds_.depth, id_when_unknown_);
}

// The same where the result is to be written, by `write(buffer)`.
template <class Write>
inline reply_error message_writer::write_result_of(const address& to, Write write)
{
    return write_result(to, [&](byte_buffer& out) {
        write_reply_head(out, to.id);
        std::optional<unwritable> problem = write(out);
        if (!problem)
            write_tail(out);
        return problem;
    });
}

reply_error message_writer::result(const incoming_request& to, const boost::json::value& value)
{
    return write_result_of(address_of(to), [&](byte_buffer& out) { return write_value(out, value, bounds_.depth); });
}

reply_error message_writer::result(const incoming_request& to, json_view text)
{
    const address whose = address_of(to);
    return write_result(whose, [&](byte_buffer& out) {
        partyline::write_reply(out, whose.id, text);
        return std::optional<unwritable>();
    });
}

reply_error message_writer::result(const incoming_request& to, const json_text& text)
{
    return write_result_of(address_of(to), [&](byte_buffer& out) { return write_text(out, text, bounds_.depth); });
}

reply_error message_writer::error(const incoming_request& to, const error_object& error)
{
    return write_reply(address_of(to), [&](byte_buffer& out, const reply_room& room) -> reply_error {
        const std::size_t start = out.size();
        write_error(out, to.id.text(), error);
        const std::size_t length = out.size() - start;
        if (length <= room.bytes()) [[likely]]
            return error.code;
        out.truncate(start);
        const error_object shorter = no_room_error(room, length);
        write_error(out, to.id.text(), shorter);
        return shorter.code;
    });
}

void message_writer::refuse(std::string_view id, std::string_view method, const error_object& error, batch_reply* batch)
{
    write_reply({id, method, batch}, [&](byte_buffer& out, const reply_room&) -> reply_error {
        write_error(out, id, error);
        return error.code;
    });
}

reply_error message_writer::answer(std::string_view id, std::string_view method, const json_text& result,
                                   batch_reply* batch)
{
    return write_result_of({id, method, batch}, [&](byte_buffer& out) {
        if (!result.empty())
            return write_text(out, result, bounds_.depth);
        out.append("null");
        return std::optional<unwritable>();
    });
}

void message_writer::notification(std::string_view method, json_view params, const incoming_request* about)
{
    const std::string_view id = about ? about->id.text() : std::string_view();
    outbox::message out(box_);
    write_notification(out.buffer(), method, params);
    if (!tap_ || !tap_.outgoing(message_type::notification, id, method, out.text(), false, number_)) [[likely]]
        out.commit();
}

void message_writer::send(batch_reply& batch)
{
    if (batch.empty())
        return;
    box_.release(batch.size());
    outbox::message out(box_);
    out.buffer().append(batch.finish());
    tap_.outgoing(message_type::batch, {}, {}, out.text(), false, number_);
    out.commit();
}

void message_writer::forward(const incoming_request& from)
{
    write_message(address_of(from), [&](byte_buffer& out, const reply_room&) {
        out.append(from.kept->text.view());
        return from.kept->error;
    });
}

void message_writer::show(const address& to, reply_error error, std::string_view text, bool is_element) const
{
    (to.request ? to.request->record : tap_.record()).note_answer(error, text.size());
    const auto read = to.request ? to.request->arrival : tap_.arrival();
    tap_.outgoing_reply(describe_answer(to.id, to.method(), error), read, text, is_element, number_);
}

void message_writer::tell(const address& to, reply_error error) const
{
    listener_->on_answered({describe_answer(to.id, to.method(), error), to.request != nullptr});
}

} // namespace partyline
