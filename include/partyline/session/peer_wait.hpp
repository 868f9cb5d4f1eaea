#pragma once

#include <partyline/session/request_context.hpp>

namespace partyline {

/// Marks a handler as waiting for a message of the peer, such as a notification in reply to one of its own. Meanwhile
/// its request does not count as in flight: if all requests that may be in flight were waiting in this way, the
/// messages that they wait for would have to wait for the end of these requests. At most `limits::peer_waits` requests
/// are exempt at a time; further ones go on counting.
///
/// Lifetime: within the handler; ends with the scope that it stands in. Nested ones count as one.
/// Thread safety: used where the handler runs.
///
///     partyline::task<std::string> ask(partyline::request_context& context)
///     {
///         co_await context.notify("question", args("Who are you?"));
///         const partyline::peer_wait waiting(context);
///         co_return co_await answer_of(context.id()); // which another handler of this session gives
///     }
class peer_wait {
public:
    /// Marks the handler of `request` as waiting from now on.
    explicit peer_wait(request_context& request) : request_(request) { request_.begin_peer_wait(); }
    ~peer_wait() { request_.end_peer_wait(); }
    peer_wait(const peer_wait&) = delete;
    peer_wait& operator=(const peer_wait&) = delete;

private:
    request_context& request_;
};

} // namespace partyline
