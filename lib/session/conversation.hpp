#pragma once

#include "session/calls/call_table.hpp"
#include "session/conversation_ending.hpp"
#include "session/message_tap.hpp"
#include "session/output/outlets.hpp"
#include "session/requests/admission.hpp"
#include "session/requests/intake.hpp"
#include "session/serve/request_cancellation.hpp"
#include "session/serve/request_host.hpp"
#include "session/serve/running_requests.hpp"
#include "session/serve/worker_pool.hpp"
#include "session/turn.hpp"

#include <partyline/config.hpp>

#include <any>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace partyline {

class live_session;
struct handler_failure;

/// One side's state of one conversation: everything that happens between a message's arrival and the bytes of its
/// answer. It knows no stream: the transport feeds the framing, calls `drive()`, and sends what is in the outbox. It
/// knows all its parts, and they know none of each other: see lib/README.md for the way of a request through them.
///
/// Flow: bytes into `frames()`, `drive()`, bytes out of `out()`; `drive()` again when some have gone; at the end of
/// input `end_of_input()`; `stop()` at any time. The host is told to flush, to read on, and once, when the conversation
/// is over.
/// Thread safety: everything happens on the executor, but for `prepare()`, `error_for()` and what `session_context`
/// says.
/// Ownership: the transport and every suspended handler share it.
/// Exceptions: none leaves it to the transport or to a worker. What is thrown by a step of its own ends it: see
/// `fail()`.
class PARTYLINE_EXPORT conversation final : public request_host,
                                            private message_tap::user,
                                            private call_table::host,
                                            private conversation_ending::host {
public:
    /// The transport's side.
    class host {
    public:
        /// There may be something to send.
        virtual void flush() = 0;
        /// There is room for more input: reading is to go on, if it does not.
        virtual void resume_reading() = 0;
        /// There is no room for more input.
        virtual void on_pause() {}
        /// Ends the session when the process of this number ends, where the host can see that.
        virtual void watch_process(int) {}
        /// No handler runs any more, or they were given up; nothing will be added to the outbox.
        virtual void on_end(error_code result) noexcept = 0;

    protected:
        ~host() = default;
    };

    conversation(boost::asio::any_io_executor executor, std::shared_ptr<const dispatcher> methods,
                 session_options options, std::unique_ptr<framing> frames);
    ~conversation();

    void attach(host& transport);
    /// A session begins, whose peer can be told anything at any time: `session_options::on_start` is, and when it has
    /// ended `on_end`. Called before anything is served. What it throws is to fail it.
    void begin();
    /// The transport goes away: whatever still runs is on its own.
    void detach();

    framing& frames() noexcept { return intake_.frames(); }
    outlet& out() noexcept { return outlets_.stream(); }
    const outlet& out() const noexcept { return outlets_.stream(); }

    // For a driver that serves one conversation over several connections.

    /// What is handed in by the outlet is answered there. Both live until `release()`. Throws `std::bad_alloc`.
    outlet& open_outlet(message_bracket& frames, outlet::user& told) { return outlets_.open(frames, told); }
    /// Takes one whole message. Fails with `errc::overloaded` when there is no room now: once something has been sent
    /// there, or `host::resume_reading()` was called, there may be, unless other sessions use up what they share; with
    /// `errc::message_too_large`, or `errc::session_closed`. When it throws `std::bad_alloc`, nothing was taken.
    error_code push(outlet& via, std::string text);
    /// Whether the in-flight budget has room for one more request of this size. Where it has none, a driver that can
    /// hold back a stream by itself does so before `push()`: behind a message that waits there, all others wait. Once
    /// `host::resume_reading()` was called there may be room.
    bool has_slot_for(std::size_t bytes) const noexcept;
    /// Whether there is something of that which has not been looked at, for want of room or since a turn is under way.
    bool has_untaken() const noexcept { return intake_.has_pushed(); }
    /// Nobody wants what goes there any more: it is dropped. What came in by it is cancelled, as by the peer but with
    /// no answer at all, or goes on.
    void abandon(outlet& via, bool cancels);
    /// The driver lets go of an outlet, and no longer reads what is to be sent there. What came in by it goes on; so do
    /// calls that were sent there, until their reply comes by another outlet or their time is over.
    void release(outlet& unused);

    /// Serves what comes from now on with other methods; what is in flight keeps the ones it has.
    void use_methods(std::shared_ptr<const dispatcher> methods) { admission_.methods().use(std::move(methods)); }
    /// Judges what comes from now on by another view.
    void use_access(std::shared_ptr<const access_view> view) noexcept;
    /// Counts what comes from now on by another quota.
    void use_quota(std::shared_ptr<request_quota> quota) noexcept { context_.access.use(std::move(quota)); }
    /// The peer may not call any more: what has not begun is refused, and the conversation ends as by `close()`, with
    /// `errc::access_ended`.
    void end_access();

    /// Handles what the framing has complete and starts what may start, until there is nothing left to do, or no room.
    void drive() noexcept override;
    void fail(std::exception_ptr thrown) noexcept override;

    /// Nothing more will come: ends when what has come is done, or when `drain_timeout` is over. Calls that wait for a
    /// reply fail with what `unanswered` says.
    void end_of_input(detail::end_reason unanswered);
    /// Ends when what has come is done and all calls are answered, or when `drain_timeout` is over.
    void close();
    /// Cancels everything and ends, with `result`, when the handlers have ended or `cancel_grace` is over. Calls fail
    /// with what `unanswered` says.
    void stop(error_code result, const detail::end_reason& unanswered);

    /// Everything was cancelled, and what has come and was not served will not be.
    bool was_cancelled() const noexcept { return context_.end.was_cancelled(); }

    /// On the executor, for what a `session_link` has posted.
    void visit(const std::function<void(live_session&)>& function) noexcept;

    // For one who listens to the cancellation of a message itself, in place of `prepare()`.

    /// Gives its calls their ids. From any thread.
    void number(outgoing_message& message) noexcept;
    /// Cancels one that was started here, if it has not come to its end.
    void cancel_call(outgoing_message& message) noexcept;

    /// No reply will come to the call of this id: it fails so. For a driver that knows which message was lost.
    void fail_call(std::string_view id, error_code why, const std::string& details);
    /// Whether a call of this id waits for its reply.
    bool is_open_call(std::string_view id) const { return calls_.is_open(id); }
    /// The proof that is to go beside such a call; empty where there is none.
    std::string_view proof_beside_call(std::string_view id) const { return calls_.proof_beside(id); }

    // For handlers: see request_host.
    bool prepare(const std::shared_ptr<outgoing_message>& message, error_code failed) override;
    void start_call(const std::shared_ptr<outgoing_message>& message, served_request* from) noexcept override;
    void finish_call(outgoing_message& held, std::exception_ptr thrown, response reply) noexcept override;

private:
    struct perform;
    struct plain_result;

    // For requests and workers: see request_host.
    void finish(served_request& done, const boost::json::value& result) noexcept override;
    void finish(served_request& done, json_view result) noexcept override;
    void finish(served_request& done, const json_text& result) noexcept override;
    void finish(served_request& done, const error_object& error) noexcept override;
    error_object error_for(const served_request& from, std::exception_ptr thrown) const noexcept override;
    void note_refusal(const served_request& from, const error_object& error) const noexcept override;
    bool next_request(worker& free) noexcept override;
    bool recycle(worker& idle) noexcept override;
    void retire(worker& last) noexcept override;
    void on_worker_lost(worker& lost) noexcept override;
    std::string_view find_token(json_view params, std::string_view name, bool may_be_escaped) override;
    void send_notification(worker& from, std::string_view method, std::string_view params,
                           bool is_replaceable) override;
    void collect_from(served_request& from) noexcept override;
    void begin_peer_wait(served_request& from) override;
    void end_peer_wait(served_request& from) override;

    enum class step : std::uint8_t { none, done, loaded };

    // One turn: conversation.cpp
    void take_turn();
    void forget_former_methods();
    void run_workers();
    void run(worker& loaded);
    bool load(worker& free);
    step take_waiting(worker& free);
    step take_arrival(worker& free);
    step take_pushed(worker& free);
    step handle_by_outlet(const arrival& next, worker& free);
    step handle(const arrival& next, const output_pressure& now, worker& free);
    step handle_message(const message& m, std::string_view text, const output_pressure& now, worker& free);
    decision decide(const message& m, std::string_view text, const output_pressure& now, std::any& facts);
    /// That it takes of budgets, with what has come beside it.
    std::size_t size_of(std::string_view text) const noexcept { return text.size() + intake_.via().sender().bytes; }
    step start(const message& m, const method& target, const start_rule& rule, waiting_request* waited, std::any& facts,
               worker& free);
    void call(worker& loaded);
    bool flush();
    bool hand_over();
    bool hand_over(outlet& to);
    output_pressure pressure(const outlet& via) const noexcept
    {
        output_pressure now{via.is_full(), via.is_held_full()};
        if (now.is_full) [[unlikely]] {
            now.is_at_cap = via.is_at_cap();
            now.has_called = last_call_id_.load(std::memory_order_relaxed) != 0;
        }
        return now;
    }
    bool must_pause() const noexcept
    {
        return admission_.must_pause(intake_.has_pushed() ? output_pressure() : pressure(out()));
    }
    void request_turn() override;
    void start_turn() noexcept;

    // What is decided about messages, and done about the rarer ones: conversation_messages.cpp
    std::optional<decision> ask_profile(const message& m, bool is_id_taken, std::any& facts);
    bool is_wanted(const message& taken);
    std::optional<error_object> show_arrival(const message& m, std::string_view text, bool is_element);
    void read_trace(const message& m);
    bool is_progress_of_call(const message& m);
    void take_reply(const message& m, std::string_view text, bool is_element);
    void refuse_whole_batch(const std::optional<error_object>& error);
    void refuse_element(const message& m, std::string_view text, const error_object& refusal, batch_reply& replies);
    void on_oversize(const frame& f);
    void on_bad_header(const frame& f);
    void on_overload(const message& m, const shortage& of);
    void wait_for_turn(const message& m, const method& target, std::string_view text, std::any facts);
    void offload(const message& m, const method& target, const start_rule& rule, waiting_request* waited,
                 std::any& facts);
    template <class Request>
    void set_origin(Request& r, waiting_request* waited);

    // The life of a request whose handler has started: conversation_requests.cpp
    template <class Result>
    void settle(served_request& done, const Result& result) noexcept;
    template <class Result>
    void conclude(served_request& done, const Result& result);
    void note_end(served_request& done, reply_error told, const error_object* failure);
    void conclude_silently(served_request& done);
    void release(served_request& done) noexcept;
    bool must_keep_reply(const served_request& done) const noexcept;
    template <class Result>
    reply_error keep_reply(served_request& done, const Result& result);
    void send_kept(outlet& to) override;
    void drop_rest_of_batch() noexcept override;
    handler_failure describe(const served_request& from, std::exception_ptr thrown) const;
    void enter(served_request& suspended);
    void start_deadline(served_request& r);
    void leave(served_request& done) noexcept;

    // What handlers ask of the peer: conversation_calls.cpp
    void start_call_of(served_request& from, const std::shared_ptr<outgoing_message>& message);
    void launch(const std::shared_ptr<outgoing_message>& message);
    bool lend_slot(served_request& from);
    void on_ended(served_request& from, const outgoing_message& ended) override;

    // The end, and what goes wrong
    void on_over() noexcept override;
    void let_go() noexcept;
    void tell_end() noexcept;
    void on_hook_failed(std::exception_ptr thrown) noexcept override { ending_.fail_later(std::move(thrown)); }
    void log_exception(const char* what, std::exception_ptr thrown) const noexcept override;
    void log(std::string_view line) const noexcept override;

    message_tap tap_;
    admission admission_;
    intake intake_;
    running_requests requests_;
    outlets outlets_;
    call_table calls_;
    worker_pool workers_;
    turn turn_;
    request_cancellation cancellation_;
    conversation_ending ending_;
    host* host_ = nullptr;
    const bool is_told_of_ends_;              // somebody is: a lifecycle, a hook
    bool has_begun_ = false;                  // and the end is still to be told
    std::shared_ptr<session_link> made_link_; // the lifecycle's; null where there is none

    std::list<waiting_request> started_; // the last one that had to wait: its handler reads the text
    std::atomic<std::uint64_t> last_call_id_ = 0;
};

// Sets where, when and with what a request came in, which methods there were, its place in the quota and its signer: as
// `waited` has it, if it waited, else just now.
template <class Request>
inline void conversation::set_origin(Request& r, waiting_request* waited)
{
    if (waited) [[unlikely]] {
        r.table = waited->table;
        r.via = waited->via;
        r.of_batch = waited->of_batch;
        r.quota = std::move(waited->quota);
        if (tap_.is_observed()) [[unlikely]] {
            r.arrival = waited->arrival;
            r.record = std::move(waited->record);
        }
        if (waited->signer)
            r.set_signer(std::move(waited->signer));
        if (waited->sender_fields)
            r.set_sender_fields(std::move(waited->sender_fields));
        return;
    }
    r.table = admission_.methods().number();
    r.via = &intake_.via();
    r.of_batch = intake_.batch();
    if (r.of_batch) [[unlikely]]
        r.of_batch->add_hold();
    if (tap_.is_observed()) [[unlikely]] {
        r.arrival = tap_.arrival();
        r.record = std::move(tap_.record());
    }
    if (admission_.has_belongings()) [[unlikely]]
        admission_.move_belongings(r);
    if (r.via->sender().fields) [[unlikely]]
        r.set_sender_fields(r.via->sender().fields);
}

} // namespace partyline
