#pragma once

#include "session/serve/closable_executor.hpp"
#include "session/serve/served_request.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/session/detail/task_root.hpp>
#include <partyline/session/detail/task_runner.hpp>
#include <partyline/session/handler.hpp>

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace partyline {

/// A request whose handler runs on an executor of the method's own, on a fresh strand of it. The result is turned into
/// text there; the answer is given on the session's executor.
///
/// Thread safety: the handler's side and the session's side meet only in what they post to each other's executor, in
/// the atomic `cause`, and in what `mutex_` guards: what has been said and not taken, `undelivered_`, and the four
/// members behind the mutex.
class offloaded_request final : public served_request,
                                private detail::task_runner,
                                private result_writer,
                                public std::enable_shared_from_this<offloaded_request> {
public:
    /// `text` is that of the request's params.
    offloaded_request(request_host& owner, std::string text, const method_options& options);

    void start();

    /// Gives the answer, on the session's executor.
    void deliver() noexcept;
    void on_given_up() noexcept override;

    void emit_cancel() override;
    bool take_unsent(notification_text& out) override;
    void on_unsent_taken() override;
    boost::asio::any_io_executor get_executor() const override;

private:
    friend struct offload_ticket;

    void cancel_handler() noexcept;
    bool run();
    bool run_task();
    void settle();
    const boost::asio::any_io_executor& task_home() const noexcept override { return strand_; }
    void on_task_ended() override;
    void fail(std::exception_ptr thrown) noexcept;
    void hand_back() noexcept;
    void close_strand() noexcept;
    void on_dropped() noexcept;

    void write(const boost::json::value& result) override;
    void write(json_view result) override;
    void write(const json_text& result) override;
    void refuse(const error_object& error) override;
    void say(std::string_view method, std::string_view params, bool is_replaceable) override;
    std::size_t coalesce_above() const noexcept override;
    bool must_wait() override;
    void announce();
    void take_to_session(const std::shared_ptr<outgoing_message>& message) override;
    void begin_peer_wait() override;
    void end_peer_wait() override;
    void tell_session(void (request_host::*what)(served_request&));

    std::shared_ptr<request_host> hold_;
    std::shared_ptr<offloaded_request> undelivered_; // itself, where the session could not be told of its end
    const std::shared_ptr<closable_executor> session_executor_;
    mutable std::mutex mutex_;
    boost::asio::any_io_executor strand_; // given back when the handler has ended: its executor may be gone later
    std::size_t coalesced_ = 0;           // not told to the session yet
    bool is_announced_ = false;           // the session is about to look
    bool is_waiting_ = false;             // the handler is, for the session to take some of it
    detail::task_root root_;
    std::shared_ptr<offloaded_request> running_; // itself, while its handler is suspended
    const std::string text_;                     // of its params
    byte_buffer result_;
    std::optional<error_object> error_;
};

} // namespace partyline
