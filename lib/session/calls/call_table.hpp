#pragma once

#include "session/calls/outgoing_message.hpp"
#include "session/message_tap.hpp"
#include "session/output/outlet.hpp"
#include "session/session_context.hpp"

#include <partyline/config.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline {

/// The messages of ours that wait for room, and the calls among them, sent or not, that have not come to their end.
///
/// Flow: `start()` registers a message and sends it, or lets it wait; `send_waiting()` when there is room. A call ends
/// by its reply, by its time being over, by `cancel()`, or with all others by `fail_all()`; whichever comes first,
/// once.
/// Thread safety: everything on the session's executor.
class PARTYLINE_EXPORT call_table {
public:
    /// The conversation's side.
    class host {
    public:
        /// What this request's handler has called has come to its end.
        virtual void on_ended(served_request& from, const outgoing_message& ended) = 0;
        /// There is something to send, or room for more.
        virtual void request_turn() = 0;
        /// A step of ours threw: the session can't go on.
        virtual void fail(std::exception_ptr thrown) noexcept = 0;
        virtual void log(std::string_view line) const noexcept = 0;

    protected:
        ~host() = default;
    };

    /// All live longer.
    call_table(host& owner, session_context& context, const message_tap& tap) noexcept
        : owner_(owner), context_(context), tap_(tap)
    {
    }
    ~call_table() { drop_all(); }
    call_table(const call_table&) = delete;
    call_table& operator=(const call_table&) = delete;

    /// Takes a message of which `first_id` and `via` are set. When this throws it is still settled: at once, or with
    /// all others.
    void start(const std::shared_ptr<outgoing_message>& wanted);
    /// Takes one that is not to be sent.
    static void refuse(outgoing_message& unwanted, error_code why, const std::string& details = {}) noexcept;

    /// A response came; `last_issued` is the highest id that any call has.
    void on_response(const message& m, std::string_view text, bool is_element, outlet_number came_by,
                     std::uint64_t last_issued);
    /// A reply that was not kept, or will not come.
    struct lost_reply {
        std::string_view id;      // its exact text
        bool is_of_batch = false; // it is one of those to a batch, all of which are lost
    };
    /// One is, for the reason that the call fails with.
    void on_lost(const lost_reply& what, std::uint64_t last_issued, error_code why, const std::string& details = {});
    /// Progress came; false when it is not about a call that wants it.
    bool on_progress(std::string_view token, json_view value);

    /// One that is held has come to this, unless it has ended already.
    void finish(outgoing_message& held, response reply) noexcept;

    /// Ends what is open of a message with `why`, and tells the peer if that knows of it.
    void cancel(outgoing_message& given_up, error_code why);
    /// Ends all calls, without telling the peer. True when there were any.
    bool fail_calls(error_code why, const std::string& details = {}) noexcept;
    /// The same, and what waits to be sent.
    void fail_all(error_code why, const std::string& details = {}) noexcept;
    /// Lets go of all of them: nobody is told.
    void drop_all() noexcept;

    /// Sends what waits there, as far as there is room; true when that was something.
    bool send_waiting(outlet& via);
    /// Gives up what waits there.
    void drop_waiting(outlet& via, error_code why) noexcept;

    /// Whether the peer owes a call of this id its reply; `id` is the exact text.
    bool is_open(std::string_view id) const;
    /// What goes beside such a call, in a field of its POST; empty where there is nothing.
    std::string_view proof_beside(std::string_view id) const;
    /// Whether no call is open and nothing waits.
    bool empty() const noexcept { return open_.empty() && waiting_.empty(); }

private:
    using open_calls = boost::unordered_flat_map<std::uint64_t, std::shared_ptr<outgoing_message>>;

    bool has_wrong_params(const outgoing_message& wanted) const;
    error_code shortage(const outgoing_message& wanted, bool must_wait) const;
    bool has_room(const outgoing_message& wanted, bool must_wait) const;
    void enter(const std::shared_ptr<outgoing_message>& wanted, bool must_wait);
    void count(const outgoing_message& entered) noexcept;

    // Writing what is sent: call_table_send.cpp
    void send(outgoing_message& ready);
    void send_or_give_up(outgoing_message& ready);
    void note_unanswered(outgoing_message& sent);
    bool write(outgoing_message& ready, outbox::message& out);
    bool write_batch(outgoing_message& ready, outbox::message& out);
    void write_element(const outgoing_message& from, const outgoing_element& what, std::uint64_t id,
                       byte_buffer& out) const;
    void end_unsent(outgoing_message& from, std::size_t call, const outgoing_element& what, response reply);
    bool is_allowed(outgoing_message& from, std::size_t call, const outgoing_element& what, std::string_view text);

    // Ending it: call_table.cpp
    void leave_handler(outgoing_message& message) noexcept;
    void stop_waiting(outgoing_message& message) noexcept;
    void start_timer(outgoing_message& message);
    void on_timer(outgoing_message& message) noexcept;
    void send_cancel(outlet& via, std::uint64_t id, error_code why);
    void give_up(outgoing_message& message, error_code why, const std::string& details) noexcept;
    void end(outgoing_message& message, std::size_t call, error_code failed, response reply) noexcept;
    void end(open_calls::iterator found, error_code failed, response reply) noexcept;
    outgoing_message* find(std::uint64_t id) const;
    // Ours are numbers from 1 on; a peer may write them in another way (1.0). Zero: it is none of them.
    static std::uint64_t number_of(std::string_view id) noexcept;
    // The details are left out when there is no memory for them: the call ends all the same.
    static response failed_with(error_code why, const std::string& details) noexcept;

    // What the peer answers: call_table_replies.cpp
    void count_unasked(std::uint64_t id, std::uint64_t last_issued);
    void refuse_batch(outgoing_message& refused, const message& m);
    void end_all(outgoing_message& message, error_code failed, const response& reply);
    // The one batch that an error without id can be about; null where that can be about anything else that was sent,
    // also about what was given up before it had a reply.
    outgoing_message* only_unanswered_batch() const noexcept;

    host& owner_;
    session_context& context_;
    const message_tap& tap_;
    open_calls open_;                                      // each under each of its open ids
    std::list<std::shared_ptr<outgoing_message>> waiting_; // in order
    std::list<outgoing_message*> unanswered_batches_;      // sent, and none of their calls has had a reply; in order
    std::size_t unanswered_calls_ = 0;                     // sent one by one
    bool has_given_up_unanswered_ = false;                 // once is enough: its refusal may come at any time
    std::size_t waiting_bytes_ = 0;
    std::size_t held_ = 0; // of the open ones; they have room of their own, so that what they send finds some
    std::size_t held_bytes_ = 0;
};

} // namespace partyline
