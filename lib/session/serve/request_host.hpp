#pragma once

#include "session/calls/held_call_host.hpp"
#include "session/session_context.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/fwd.hpp>

#include <exception>
#include <memory>
#include <string_view>
#include <utility>

namespace partyline {

class closable_executor;
class served_request;
class session_link;
class worker;

/// What requests that are served, and those who serve them, need of their session. They share its ownership.
class request_host : public std::enable_shared_from_this<request_host>, public held_call_host {
public:
    session_context& context() noexcept { return context_; }
    const session_context& context() const noexcept { return context_; }
    /// The way to its executor from other threads.
    const std::shared_ptr<closable_executor>& session_executor() const noexcept { return session_executor_; }
    /// For handlers: the way to the session; null where it can tell its peer nothing unasked. From any thread.
    const std::shared_ptr<session_link>& link() const noexcept { return link_; }

    // How a handler can end. Each gives the request its answer and forgets it; a second one is not looked at.
    virtual void finish(served_request& done, const boost::json::value& result) noexcept = 0;
    virtual void finish(served_request& done, json_view result) noexcept = 0;
    virtual void finish(served_request& done, const json_text& result) noexcept = 0;
    virtual void finish(served_request& done, const error_object& error) noexcept = 0;
    void finish(served_request& done, std::exception_ptr thrown) noexcept
    {
        finish(done, error_for(done, std::move(thrown)));
    }
    /// The error for what a handler threw; tells the log what the peer is not told. On any thread.
    virtual error_object error_for(const served_request& from, std::exception_ptr thrown) const noexcept = 0;
    /// Tells the log of an error of a handler's own that nobody else is told: that of a notification. On any thread.
    virtual void note_refusal(const served_request& from, const error_object& error) const noexcept = 0;

    // For workers, between two requests.

    /// Loads the next request; false when there is none for this worker now.
    virtual bool next_request(worker& free) noexcept = 0;
    /// Takes a worker back that has nothing to do; false when it is to end.
    virtual bool recycle(worker& idle) noexcept = 0;
    /// It serves no longer.
    virtual void retire(worker& last) noexcept = 0;
    /// What its handler awaited will never complete.
    virtual void on_worker_lost(worker& lost) noexcept = 0;

    // For handlers.

    /// The exact text of a token among params; empty when there is none of that name, or it is neither integer nor
    /// string. `may_be_escaped`: the name may be there in another spelling.
    virtual std::string_view find_token(json_view params, std::string_view name, bool may_be_escaped) = 0;
    /// Sends what a handler on the session's executor tells, or keeps it until there is room.
    virtual void send_notification(worker& from, std::string_view method, std::string_view params,
                                   bool is_replaceable) = 0;
    /// The same for what one elsewhere has kept.
    virtual void collect_from(served_request& from) noexcept = 0;
    virtual void begin_peer_wait(served_request& from) = 0;
    virtual void end_peer_wait(served_request& from) = 0;
    /// Handles what has come and sends what there is, as far as that goes.
    virtual void drive() noexcept = 0;
    /// The session can't go on, and that is not the peer's fault: no memory, or a hook, a profile or a method table
    /// that threw. The log is told; then it ends as by a stop, or, when even that fails, at once.
    virtual void fail(std::exception_ptr thrown) noexcept = 0;

    /// Tells the log. On any thread.
    virtual void log_exception(const char* what, std::exception_ptr thrown) const noexcept = 0;

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

protected:
    request_host(boost::asio::any_io_executor executor, session_options options);
    ~request_host();

    session_context context_;
    const std::shared_ptr<closable_executor> session_executor_;
    std::shared_ptr<session_link> link_; // set before anything is served
};

} // namespace partyline
