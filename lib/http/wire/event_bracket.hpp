#pragma once

#include <partyline/protocol/framing.hpp>

#include <cstddef>
#include <string_view>

namespace partyline::http {

/// Writes each message as one server-sent event. There is no line break in a message (a string's are escaped, raw
/// results have theirs taken out), so that its text is one line of data, and two line breaks are the end of an event
/// and nothing else.
///
/// Where a reply is to be sent as JSON after all, `last_message()` finds it among what was written.
class event_bracket final : public message_bracket {
public:
    static constexpr std::string_view before = "event: message\ndata: ";
    static constexpr std::string_view behind = "\n\n";

    void begin_message(byte_buffer& out) override { out.append(before); }
    void end_message(byte_buffer& out) override
    {
        out.append(behind);
        ++messages_;
    }

    /// How many were written since this was said last.
    std::size_t messages() const noexcept { return messages_; }
    void forget_messages() noexcept { messages_ = 0; }

    /// The one message that these bytes are, without what stands around it.
    static std::string_view only_message(std::string_view event) noexcept
    {
        return event.substr(before.size(), event.size() - before.size() - behind.size());
    }

    /// The last of the messages that these bytes are, without what stands around it. Not of none.
    static std::string_view last_message(std::string_view events) noexcept
    {
        events.remove_suffix(behind.size());
        const std::size_t end_before = events.rfind(behind);
        if (end_before != events.npos)
            events.remove_prefix(end_before + behind.size());
        return events.substr(before.size());
    }
    /// Takes the first event off the front of these bytes, its end included.
    static std::string_view take_event(std::string_view& events) noexcept
    {
        const std::string_view first = events.substr(0, events.find(behind) + behind.size());
        events.remove_prefix(first.size());
        return first;
    }

private:
    std::size_t messages_ = 0;
};

/// The framing of a conversation that is given whole messages, and whose stream is a stream of events.
class event_framing final : public framing {
public:
    std::span<char> prepare() override { return {}; }
    void commit(std::size_t) override {}
    bool next(frame&) override { return false; }
    void finish() override {}
    std::size_t pending() const noexcept override { return 0; }
    void give_up_pending() override {}
    void release_memory() override {}
    void begin_message(byte_buffer& out) override { bracket_.begin_message(out); }
    void end_message(byte_buffer& out) override { bracket_.end_message(out); }

private:
    event_bracket bracket_;
};

} // namespace partyline::http
