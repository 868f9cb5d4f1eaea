#pragma once

#include "session/calls/make_outgoing.hpp"
#include "session/calls/posted_completion.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/session_counters.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace partyline {

class access_view;
class lifecycle;
class request_quota;

/// What a `session` is a handle of: a conversation, and what carries it, be that a stream or requests of HTTP.
/// Thread safety: `start()` and `takes_calls()` on the executor, the others from any thread.
class session_driver {
public:
    virtual ~session_driver() = default;

    virtual boost::asio::any_io_executor get_executor() const = 0;
    /// Runs the conversation to its end.
    virtual void start(completion<error_code> done) = 0;
    /// Ends it in order: cancels everything and completes with `result`. With `errc::peer_gone` nothing is sent any
    /// more.
    virtual void stop(error_code result) = 0;
    /// Ends it in order: no new calls; waits for what is under way, then for the peer's end.
    virtual void close() = 0;
    /// Whether what is sent now would reach a peer that may still answer.
    virtual bool takes_calls() const noexcept = 0;
    /// Sends a call, a notification or a batch, unless it has failed already.
    virtual void launch(const std::shared_ptr<outgoing_message>& message, error_code failed) = 0;
    /// How what is called becomes messages.
    virtual call_origin origin() const = 0;
    virtual void use_methods(std::shared_ptr<const dispatcher> methods) = 0;
    virtual void use_access(std::shared_ptr<const access_view> view) = 0;
    virtual void use_quota(std::shared_ptr<request_quota> quota) = 0;
    /// As `close()`, with `errc::access_ended`: nothing begins any more.
    virtual void end_access() = 0;
    virtual std::shared_ptr<partyline::lifecycle> lifecycle() const = 0;
    virtual session_counters counters() const noexcept = 0;
};

} // namespace partyline
