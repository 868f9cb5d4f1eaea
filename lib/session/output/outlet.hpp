#pragma once

#include "session/message_tap.hpp"
#include "session/output/message_writer.hpp"
#include "session/output/notification_source.hpp"
#include "session/output/outbox.hpp"
#include "session/output/reply_without_room.hpp"
#include "session/output/waiting_output.hpp"
#include "session/sender_facts.hpp"
#include "session/session_context.hpp"

#include <partyline/config.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/intrusive/list.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <exception>
#include <list>
#include <string>
#include <utility>

namespace partyline {

class outlets;

/// Where messages go out: the session's stream, or one of the connections that a driver serves one conversation over.
/// What belongs to a request goes to the outlet that it came in by. Here stands, besides what is to be sent, what has
/// no room yet: replies of handlers that have ended, notifications of those that run, and messages of ours.
///
/// Flow: a reply that finds no room is written to what `make_kept()` gives, and that kept by `keep()`; `take_kept()`
/// and `send_kept()` when there is room. Notifications that find none are `offer()`-ed by their request, and taken by
/// `send_notifications()`. The driver sends what `unsent()` shows, and says `sent()`.
class PARTYLINE_EXPORT outlet final : public outbox, public boost::intrusive::list_base_hook<> {
public:
    /// The driver's side of one that is not the session's stream.
    class user : public reply_listener {
    public:
        /// A message that was handed in here has been read; it has not been served yet. Both are valid during the call,
        /// the reader for the elements of a batch.
        virtual void on_taken(const partyline::message& m, const message_reader& reader)
        {
            static_cast<void>(m);
            static_cast<void>(reader);
        }
        /// There may be something to send, or nothing more to come: see `is_idle()`.
        virtual void flush() = 0;
    };
    using kept_replies = std::list<reply_without_room>;
    using waiting_list = boost::intrusive::list<waiting_output, boost::intrusive::constant_time_size<false>>;

    /// All live longer. `told` is null for the session's stream.
    outlet(outlets& owner, outlet_number number, session_context& context, message_bracket& frames, marks at,
           memory_budget* shared, const message_tap& tap, user* told);

    outlet_number number() const noexcept { return number_; }
    bool is_stream() const noexcept { return number_ == 0; }
    message_writer& writer() noexcept { return writer_; }
    /// Who is told what becomes of it; null for the session's stream, and where nobody is any more.
    user* listener() const noexcept { return user_; }

    /// What is told of the messages that come in here by the request of HTTP, or the handshake, that they come by.
    const sender_facts& sender() const noexcept { return sender_; }
    void set_sender(sender_facts of) noexcept { sender_ = std::move(of); }

    /// The proof that comes beside the message that is handed in by this outlet next: see
    /// `unproven_call::proof_beside`. Empty where none does.
    const std::string& proof_beside() const noexcept { return proof_beside_; }
    void set_proof_beside(std::string of) noexcept { proof_beside_ = std::move(of); }
    std::string take_proof_beside() noexcept { return std::exchange(proof_beside_, {}); }

    void sent(std::size_t count)
    {
        outbox::sent(count);
        if (count != 0 && has_pending()) [[unlikely]]
            note_work();
    }

    /// In the place of a request whose handler has ended, with what that did not wait to have sent: one entry.
    static kept_replies make_kept(const incoming_request& done, const start_rule& rule, notification_source* unsent);
    void keep(kept_replies one) noexcept;
    bool has_kept() const noexcept { return !kept_.empty(); }
    /// Whether a call or a notification goes out at once, behind all that came before it.
    bool takes_calls() const noexcept { return waiting_.empty() && !has_kept() && !is_behind(); }
    const kept_replies& replies_without_room() const noexcept { return kept_; }
    kept_replies take_kept() noexcept;
    void send_kept(const reply_without_room& taken);

    /// Enters one who has something to say, where it does not stand there.
    void offer(notification_source& from) noexcept;
    /// Sends what all of them have, in turn, as far as there is room; true when that was something.
    bool send_notifications();
    /// Sends what one still has, whether or not there is room.
    void send_all(notification_source& from);
    void forget_sources() noexcept { sources_.clear(); }

    /// Messages of ours that wait for room, in order.
    waiting_list& waiting() noexcept { return waiting_; }

    /// Writes a reply, and says what the peer gets. A result that there is no memory to write becomes an error, which
    /// takes little.
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

    // Of one that is not the session's stream: what still belongs to it.

    void enter(incoming_request& r)
    {
        if (!is_stream()) [[unlikely]]
            requests_.insert(&r);
    }
    void leave(incoming_request& r) noexcept
    {
        if (!is_stream()) [[unlikely]]
            forget(r);
    }
    const boost::unordered_flat_set<incoming_request*>& requests() const noexcept { return requests_; }
    void add_use() noexcept { ++uses_; }
    void drop_use() noexcept;
    /// Drops a hold of a batch whose replies go here, and sends these when it was the last.
    void drop_hold(batch_reply& batch);
    /// Nothing more will come, as far as it depends on what was handed in here.
    bool is_idle() const noexcept { return requests_.empty() && uses_ == 0 && !has_pending(); }
    /// Nobody wants what goes here any more: it is dropped.
    void close(bool cancels) noexcept;
    /// And what came in here is not to be served.
    bool is_cancelled() const noexcept { return is_cancelled_; }

private:
    friend class outlets;
    using source_list = boost::intrusive::list<notification_source, boost::intrusive::constant_time_size<false>>;

    bool has_pending() const noexcept { return !kept_.empty() || !sources_.empty() || !waiting_.empty(); }
    void forget(incoming_request& r) noexcept;
    void note_work() noexcept;
    void on_commit() noexcept override;
    void send(const notification_text& what, const incoming_request& about);
    reply_error answer_unwritten(const incoming_request& to, const char* why);

    outlets& owner_;
    session_context& context_;
    message_writer writer_;
    kept_replies kept_;
    source_list sources_;
    waiting_list waiting_;
    boost::unordered_flat_set<incoming_request*> requests_;
    user* user_;
    sender_facts sender_;
    std::string proof_beside_;
    std::list<outlet>::iterator self_; // among the others
    const outlet_number number_;
    std::size_t uses_ = 0; // batches, calls, messages that were handed in and not taken
    bool is_cancelled_ = false;
    bool is_released_ = false; // its driver does not know it any more
};

} // namespace partyline
