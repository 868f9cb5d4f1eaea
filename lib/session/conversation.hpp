#pragma once

#include "session/calls/call_table.hpp"
#include "session/lifecycle.hpp"
#include "session/live_counters.hpp"
#include "session/message_tap.hpp"
#include "session/output/message_writer.hpp"
#include "session/output/outbox.hpp"
#include "session/output/reply_without_room.hpp"
#include "session/requests/in_flight_table.hpp"
#include "session/requests/start_queue.hpp"
#include "session/serve/closable_executor.hpp"
#include "session/serve/worker.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/framing.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/end_reason.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/profile.hpp>
#include <partyline/session/session_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline {

struct handler_failure;

/// One side's state of one conversation: everything that happens between a message's arrival and the bytes of its answer.
/// It knows no stream: the transport feeds the framing, calls `drive()`, and sends what is in the outbox.
///
/// Flow: bytes into `frames()`, `drive()`, bytes out of `out()`; `drive()` again when some have gone; at the end of input
/// `end_of_input()`; `stop()` at any time. The host is told to flush, to read on, and once, when the conversation is over.
/// Thread safety: everything happens on the executor, but for `is_stopping()`, `error_for()`, `counts()`, `prepare()` and the
/// reading of options.
/// Ownership: the transport and every suspended handler share it.
/// Exceptions: none leaves it to the transport or to a worker. What is thrown by a step of its own ends it: see `fail()`.
class conversation final : public std::enable_shared_from_this<conversation>,
                           private message_reader::params_hint,
                           private message_tap::user,
                           private call_table::host {
public:
    /// The transport's side.
    class host {
    public:
        /// There may be something to send.
        virtual void flush() = 0;
        /// There is room for what may come: reading is to go on, if it does not.
        virtual void resume_reading() = 0;
        /// There is no room for what may come.
        virtual void on_pause() {}
        /// When this process ends, there is no reason to go on. A host that can't see it says so to the log.
        virtual void watch_process(int) {}
        /// No handler runs any more, or they were given up; nothing will be added to the outbox.
        virtual void on_end(error_code result) noexcept = 0;

    protected:
        ~host() = default;
    };

    conversation(boost::asio::any_io_executor executor, std::shared_ptr<const dispatcher> methods,
                 session_options options, std::unique_ptr<framing> frames);
    ~conversation();

    void attach(host& transport) noexcept { host_ = &transport; }
    /// The transport goes away: whatever still runs is on its own.
    void detach();

    framing& frames() noexcept { return *frames_; }
    outbox& out() noexcept { return outbox_; }

    /// Serves what comes from now on with other methods; what is in flight keeps the ones it has.
    void use_methods(std::shared_ptr<const dispatcher> methods);

    /// Handles what the framing has complete and starts what may start, until there is nothing left to do, or no room.
    void drive() noexcept;

    /// Runs a step of the session's own, the transport's steps among them: what it throws ends the session.
    template <class Task>
    void guarded(Task task) noexcept
    {
        try {
            task();
        } catch (...) {
            fail(std::current_exception());
        }
    }

    /// The session can't go on, and that is not the peer's fault: no memory, or a hook, a profile or a method table that threw.
    /// The log is told; then it ends as by `stop()`, or, when even that fails, at once.
    void fail(std::exception_ptr thrown) noexcept override;

    /// Nothing more will come: ends when what has come is done, or when `drain_timeout` is over. Calls that wait for a reply
    /// fail with what `unanswered` says.
    void end_of_input(end_reason unanswered);

    /// Ends when what has come is done and all calls are answered, or when `drain_timeout` is over.
    void close();

    /// Cancels everything and ends, with `result`, when the handlers have ended or `cancel_grace` is over. Calls fail with
    /// what `unanswered` says.
    void stop(error_code result, const end_reason& unanswered);

    /// Whether it has been stopped, or is over: what comes in is ignored.
    bool is_stopped() const noexcept { return is_stopped_ || has_ended_; }
    bool has_ended() const noexcept { return has_ended_; }
    /// Whether it was ended before its time, be it by the peer.
    bool was_stopped() const noexcept { return is_stopped_; }
    /// Whether handlers were left running when it ended.
    bool has_abandoned() const noexcept { return has_abandoned_; }

    // What requests and their handlers need.
    /// Empty when it has ended.
    boost::asio::any_io_executor get_executor() const { return executor_; }
    const std::shared_ptr<closable_executor>& gate() const noexcept { return gate_; }
    session_options& options() noexcept { return options_; }
    const profile& dialect() const noexcept { return profile_; }
    live_counters& counts() noexcept { return counts_; }
    std::uint64_t next_generation() noexcept { return ++last_generation_; }
    bool is_stopping() const noexcept { return is_stopping_.load(std::memory_order_relaxed); }
    const std::shared_ptr<partyline::lifecycle>& lifecycle() const noexcept { return lifecycle_; }
    /// The exact text of a token among params; empty when there is none of that name, or it is neither integer nor string.
    /// `may_be_escaped`: the name may be there in another spelling.
    std::string_view find_token(json_view params, std::string_view name, bool may_be_escaped);
    /// What a handler on our executor says, which is sent or kept; and a look at what one elsewhere has kept for us.
    void say(worker& from, std::string_view method, std::string_view params, bool is_replaceable);
    void hear(served_request& from) noexcept;
    void begin_peer_wait(served_request& from);
    void end_peer_wait(served_request& from);

    /// Gives a message that one of ours wants to send what it needs; on any thread. False: it has been told that it can't be.
    bool prepare(const std::shared_ptr<outgoing_message>& message, error_code failed);
    /// Sends it when there is room. `from` is the request whose handler wants it, or null.
    void start_call(const std::shared_ptr<outgoing_message>& message, served_request* from) noexcept;

    /// The error for what a handler threw; tells the log what the peer is not told. On any thread.
    error_object error_for(const served_request& from, std::exception_ptr thrown) const noexcept;

    // How a handler can end. Each gives the request its answer and forgets it.
    void finish(served_request& done, const boost::json::value& result) noexcept { settle(done, result); }
    void finish(served_request& done, json_view result) noexcept { settle(done, result); }
    void finish(served_request& done, const json_text& result) noexcept { settle(done, result); }
    void finish(served_request& done, const error_object& error) noexcept { settle(done, error); }
    void finish(served_request& done, std::exception_ptr thrown) noexcept
    {
        settle(done, error_for(done, std::move(thrown)));
    }

    // For workers, between two requests.
    bool next_request(worker& free) noexcept;
    bool keep(worker& idle) noexcept;
    void on_worker_ended(worker& ended, std::exception_ptr thrown) noexcept;
    /// Its coroutine was destroyed, with a handler suspended in it.
    void on_worker_lost(worker& lost) noexcept;

private:
    enum class step : std::uint8_t { none, done, loaded };
    using running_list = boost::intrusive::list<served_request, boost::intrusive::constant_time_size<false>>;

    // Finding work: conversation.cpp
    void take_turn();
    worker& take_idle_worker();
    void run_workers();
    bool load(worker& free);
    void run(worker& loaded);
    bool is_turn_over() const noexcept { return entered_ >= most_in_turn; }
    step take_waiting(worker& free);
    step take_element(worker& free);
    step take_frame(worker& free);
    void note_pending();

    // What each message means: conversation_messages.cpp
    bool wants_value(std::string_view method) override;
    const method* find_method(std::string_view name);
    step on_message(const message& m, std::string_view text, worker& free);
    step on_request(const message& m, std::string_view text, worker& free);
    step on_notification(const message& m, std::string_view text, worker& free);
    step admit(const message& m, const method& target, std::string_view text, worker& free);
    step start(const message& m, const method& target, const start_rule& rule, const incoming_request* waited, worker& free);
    void open_batch();
    void on_cancel(json_view params);
    void on_oversize(const frame& f);
    void give_up_for_notification(const frame& f);
    error_object oversize_error_for(const frame& f);
    void refuse_batch();
    void refuse(const message& m, const error_object& refusal);
    bool is_progress_of_call(json_view params);
    std::optional<error_object> ask_hook(const message& m, std::string_view text);

    // What the profile makes of it: conversation_profile.cpp
    bool is_ruled_out(const message& m);
    bool obey(const message& m, const ruling& by);
    void note_answered(std::string_view method, bool is_error);
    void note_answered(const served_request& done, bool is_error);
    void on_bad_header(const frame& f);

    // Ours to the peer: conversation_calls.cpp
    void on_ended(served_request& from, const outgoing_message& ended) override;
    void start_call_of(served_request& from, const std::shared_ptr<outgoing_message>& message);
    void cancel_calls(served_request& from);
    bool lend_slot(served_request& from);

    // Ending requests: conversation_requests.cpp
    void set_origin(incoming_request& s, const incoming_request* waited);
    void hold(const message& m, const method& target, const start_rule& rule, std::string_view text);
    void call(worker& loaded);
    void refuse(const message& m, const shortage& of);
    void offload(const message& m, const method& target, const start_rule& rule, const incoming_request* waited);
    handler_failure describe(const served_request& from, std::exception_ptr thrown) const;
    void enter(served_request& suspended);
    void start_deadline(served_request& r);
    void leave(served_request& done) noexcept;
    void leave(served_request& done, request_extras& extras) noexcept;
    void release(incoming_request& s) noexcept;
    void note_waiting() noexcept;
    void cancel(served_request& running, cancel_cause cause) noexcept;
    void cancel(waiting_request& waiting, cancel_cause cause);
    void refuse(waiting_request& waiting, cancel_cause cause);

    // Saying things, as there is room: conversation_output.cpp
    template <class Result>
    void settle(served_request& done, const Result& result) noexcept;
    template <class Result>
    void conclude(served_request& done, const Result& result);
    template <class Result>
    bool answer(const incoming_request& to, const Result& result);
    bool must_keep_reply(const served_request& done);
    template <class Result>
    bool keep_reply(served_request& done, const Result& result);
    void note_unheard(served_request& from);
    void tell(const notification_text& what, const incoming_request& about);
    void tell_all(served_request& from);
    void tell_kept();
    bool flush();
    bool hand_over();
    bool may_refuse() const noexcept;
    bool must_pause() const noexcept
    {
        return (outbox_.is_full() || outbox_.is_held_full() || !queue_.empty()) && is_at_limit();
    }
    bool is_at_limit() const noexcept;

    // What is ours and went wrong: conversation_failure.cpp
    void on_hook_failed(std::exception_ptr thrown) noexcept override;
    void note_failure(std::exception_ptr thrown) noexcept;
    void log_exception(const char* what, std::exception_ptr thrown) noexcept;
    void break_off() noexcept;

    // The end: conversation_end.cpp
    void take_end_of_input();
    void start_draining();
    void resume_draining();
    void cancel_all(cancel_cause cause);
    template <class Filter>
    void cancel_running(cancel_cause cause, Filter is_meant);
    void cancel_open_ended();
    void start_end_timer(std::chrono::steady_clock::duration after, void (conversation::*then)());
    void on_drain_timeout();
    void on_grace_over();
    void check_end() noexcept;
    void end() noexcept;
    void let_go() noexcept;
    void request_round() override;
    void start_round() noexcept;
    std::size_t in_flight() const noexcept;
    void log(std::string_view line) const noexcept override;

    boost::asio::any_io_executor executor_;
    std::shared_ptr<closable_executor> gate_;
    std::shared_ptr<const dispatcher> methods_;
    std::vector<std::shared_ptr<const dispatcher>> former_methods_; // of requests that may still be in flight
    session_options options_;
    const message_tap tap_;
    const profile& profile_;
    const std::shared_ptr<partyline::lifecycle> lifecycle_; // null where there is none
    const bool has_rules_;
    std::unique_ptr<framing> frames_;
    message_reader reader_;
    const method* last_found_ = nullptr; // in methods_
    live_counters counts_;
    outbox outbox_;
    message_writer writer_;
    call_table calls_;
    host* host_ = nullptr;

    in_flight_table in_flight_;
    start_queue queue_;
    budget_share input_share_; // of a message under way
    running_list running_; // those whose handler has suspended, or runs elsewhere
    std::list<served_request*> unheard_; // those of them that have something to say
    std::list<reply_without_room> kept_;
    std::list<worker> workers_;
    std::list<worker> ended_workers_;
    std::vector<worker*> idle_;
    std::list<waiting_request> started_; // the last one that had to wait: its handler reads the text

    // So many handlers suspend in one turn of the executor, then what they wait for comes first, as far as it is due: all
    // of a long read at once would have left the processor's cache by then. Measured: 700 cost twice as much each as 128.
    static constexpr std::size_t most_in_turn = 192;
    std::size_t entered_ = 0; // in this turn, or the last one

    std::shared_ptr<batch_reply> batch_; // whose elements are being started
    std::size_t next_element_ = 0;

    std::optional<boost::asio::steady_timer> end_timer_; // of the drain, then of the grace
    error_code result_;
    end_reason unanswered_; // what calls fail with once input has ended, or all was stopped
    std::uint64_t last_generation_ = 0;
    std::atomic<std::uint64_t> last_call_id_ = 0;
    std::atomic<bool> is_stopping_ = false;
    worker* active_ = nullptr; // the one that drive() runs; null when drive() is not on the stack
    bool is_loading_ = false; // next_request() is on the stack
    bool is_round_posted_ = false;
    std::exception_ptr hook_failure_; // of a hook that threw in the middle of something
    bool has_failed_ = false;
    bool is_broken_off_ = false; // it ends as soon as nothing of it is on the stack
    bool is_input_over_ = false;
    bool is_input_taken_ = false; // and all that came has been looked at
    bool is_closing_ = false; // by ourselves
    bool is_drain_due_ = false; // its time was over while the peer did not read
    bool is_stopped_ = false; // everything was cancelled, input is ignored
    bool has_ended_ = false;
    bool has_abandoned_ = false;
};

} // namespace partyline
