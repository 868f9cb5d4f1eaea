#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/session/call_result.hpp>

#include <exception>
#include <memory>

namespace partyline {

class outgoing_message;
class served_request;

/// What a call that middleware stands around needs of its session.
class held_call_host {
public:
    /// Gives an outgoing message its ids and its cancellation; on any thread. False: it has been completed, and is not
    /// to be sent.
    virtual bool prepare(const std::shared_ptr<outgoing_message>& message, error_code failed) = 0;
    /// Sends it when there is room. `from` is the request whose handler wants it, or null.
    virtual void start_call(const std::shared_ptr<outgoing_message>& message, served_request* from) noexcept = 0;
    /// The coroutines around `held` have come to this. It is not looked at when the call has ended already.
    virtual void finish_call(outgoing_message& held, std::exception_ptr thrown, response reply) noexcept = 0;

protected:
    ~held_call_host() = default;
};

} // namespace partyline
