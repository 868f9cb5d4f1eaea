#pragma once

#include "session/message_tap.hpp"
#include "session/output/message_writer.hpp"
#include "session/output/notification_source.hpp"
#include "session/output/outbox.hpp"
#include "session/output/reply_without_room.hpp"
#include "session/session_context.hpp"

#include <boost/intrusive/list.hpp>

#include <exception>
#include <list>

namespace partyline {

/// What is to be said to the peer and has no room yet: replies of handlers that have ended, and notifications of those that
/// run.
///
/// Flow: a reply that finds no room is written to what `make_kept()` gives, and that kept by `keep()`; `take_kept()` and
/// `send_kept()` when there is room. Notifications that find none are `offer()`-ed by their request, and taken by
/// `send_notifications()`.
class pending_output {
public:
    using kept_replies = std::list<reply_without_room>;

    /// All live longer.
    pending_output(session_context& context, framing& frames, const message_tap& tap);

    outbox& out() noexcept { return outbox_; }
    const outbox& out() const noexcept { return outbox_; }
    message_writer& writer() noexcept { return writer_; }

    /// In the place of a request whose handler has ended, with what that did not wait to have sent: one entry.
    static kept_replies make_kept(const incoming_request& done, const start_rule& rule, notification_source* unsent);
    void keep(kept_replies one) noexcept;
    bool has_kept() const noexcept { return !kept_.empty(); }
    kept_replies take_kept() noexcept;
    void send_kept(const reply_without_room& taken);

    /// Enters one who has something to say, where it does not stand there.
    void offer(notification_source& from) noexcept;
    /// Sends what all of them have, in turn, as far as there is room; true when that was something.
    bool send_notifications();
    /// Sends what one still has, whether or not there is room.
    void send_all(notification_source& from);
    void forget_sources() noexcept { sources_.clear(); }

    /// Writes a reply, and says what the peer gets. A result that there is no memory to write
    /// becomes an error, which takes little.
    template <class Result>
    reply_error answer(const incoming_request& to, const Result& result)
    {
        try {
            return writer_.result(to, result);
        } catch (const std::exception& e) {
            return answer_unwritten(to, e.what());
        }
    }
    reply_error answer(const incoming_request& to, const error_object& error);

private:
    using source_list = boost::intrusive::list<notification_source, boost::intrusive::constant_time_size<false>>;

    void send(const notification_text& what, const incoming_request& about);
    reply_error answer_unwritten(const incoming_request& to, const char* why);

    session_context& context_;
    outbox outbox_;
    message_writer writer_;
    kept_replies kept_;
    source_list sources_;
};

} // namespace partyline
