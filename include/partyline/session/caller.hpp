#pragma once

#include <partyline/config.hpp>
#include <partyline/session/call_batch.hpp>
#include <partyline/session/call_options.hpp>
#include <partyline/session/call_params.hpp>
#include <partyline/session/call_result.hpp>
#include <partyline/session/detail/call_source.hpp>
#include <partyline/session/operation.hpp>

#include <boost/asio/any_completion_handler.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace partyline {

class lifecycle;

/// The completion handler of a call: see `caller::start_call`.
using call_handler = boost::asio::any_completion_handler<void(error_code, response)>;
/// The completion handler of a notification: see `caller::start_notify`.
using notify_handler = boost::asio::any_completion_handler<void(error_code)>;
/// The completion handler of a batch: see `caller::start_batch`.
using batch_handler = boost::asio::any_completion_handler<void(error_code, std::vector<response>)>;

/// An object that can call the peer: a session, a supervisor, a client over HTTP, or within a handler its
/// `request_context`. A call is an `operation`, which begins when it is awaited or called with a completion token:
///
///     const int sum = co_await peer.call<int>("add", args(2, 40)); // or throws
///     peer.call<int>("add", args(2, 40))([](partyline::error_code, partyline::call_result<int> sum) {
///         show(sum ? std::to_string(*sum) : sum.message()); // and nothing is thrown
///     });
///
/// A call of a handler belongs to the handler's request: cancelling that cancels it. While a handler waits for a reply
/// its request does not count as in flight: two peers that are at their limits and call each other back do not block
/// each other. (At most `limits::peer_waits` requests are exempt; a further call fails with `errc::too_many_calls`,
/// which as an exception is answered -31001 "Server busy".) Where a handler lets an error of the peer through, its own
/// request is answered with that error.
///
/// Calls, notifications and batches are sent in the order in which they are started. While more than
/// `limits::outbox_soft_bytes` wait for the peer to read, they wait; in all at most `limits::calls` calls wait for
/// replies, with `limits::call_bytes` not yet sent.
///
/// Misuse throws `std::logic_error` at once: a session that was moved from.
class PARTYLINE_EXPORT caller {
public:
    /// Calls a method of the peer. The result is a `T`: any type that a parameter of a handler can have and that has a
    /// default constructor; void: the result is ignored; json_text, as by default: the text as it came. For a described
    /// struct, unknown members are ignored; its own members must be present, unless they are `std::optional` or
    /// `defaulted`. Params and options may each be left out, and come in any order.
    ///
    ///     const int sum = co_await peer.call<int>("add", args(2, 40));
    ///     co_await peer.call<void>("shut_down", partyline::call_options().timeout(5s));
    ///     const partyline::json_text text = co_await peer.call("add", args(2, 40));
    ///
    /// Completes with   a `T`, once, however the session ends
    /// Fails with       errc::timeout; errc::peer_closed: input ended before the reply; `child_exit`: the child ended;
    ///                  errc::peer_gone, errc::write_stalled or an error of the stream: as `async_run` ends;
    ///                  errc::session_closed: the session was ended by `close()`, `stop()` or destruction, or had ended
    ///                  already; errc::bad_reply; errc::not_convertible: no `T`, where the details say what was
    ///                  expected and what came; errc::message_too_large; errc::bad_params; errc::too_many_calls;
    ///                  errc::refused: middleware around it threw. The details have the last lines of a child process
    ///                  that died. A call that the hook refuses completes with the hook's error.
    /// Cancellation     terminal, partial, total: the peer is told to cancel (`$/cancelRequest`), the call completes at
    ///                  once with operation_aborted; a late reply is ignored
    /// Lifetime         the arguments are taken over; this object is not moved or destroyed before the operation has
    ///                  begun
    /// Before           a call that begins before `async_run` is sent when that starts
    /// Threads          of a session: any; of a request_context: where its handler runs
    template <class T = json_text>
    operation<T> call(std::string method, call_params params = nullptr, call_options options = {})
    {
        static_assert(detail::result_reader<T>::can_be_read); // with a sentence
        check_callable();
        detail::unsent_call what{*this, std::move(method), std::move(params), std::move(options)};
        return detail::operation_access::make<T>(std::make_unique<detail::call_source<T>>(std::move(what)));
    }
    /// Calls a method with the options before the params.
    template <class T = json_text>
    operation<T> call(std::string method, std::same_as<call_options> auto options, call_params params = nullptr)
    {
        return call<T>(std::move(method), std::move(params), std::move(options));
    }

    /// Sends the peer a notification: `co_await peer.notify("log", named("text", "ready"))`. (`request_context::notify`
    /// is a handler's own, which begins at once: in order with its progress and its reply, to be awaited or ignored.)
    ///
    /// Completes with   void, for a callback (error_code, call_result<void>), when the notification is on its way:
    ///                  there was room for it
    /// Fails with       as `call`, where the notification was not sent; errc::refused: the hook has refused it
    /// Cancellation     terminal, partial, total: the notification is not sent, if it still waits; then completes with
    ///                  operation_aborted
    /// Lifetime, before, threads   as `call`
    operation<void> notify(std::string method, call_params params = nullptr);

    /// Sends calls and notifications in one message.
    ///
    ///     partyline::call_batch both;
    ///     both.call("add", args(2, 40)).notify("log", args("adding")).call("add", args(1, 1));
    ///     for (const partyline::response& reply : co_await peer.batch(std::move(both))) // of the two calls
    ///         show(reply ? reply->text() : reply.message());
    ///
    /// Completes with   a response for each `call_batch::call`, in their order, when the last of them has completed;
    ///                  also where some of them failed here: each response tells that, and the code beside all of them
    ///                  is that of the first. Nothing is thrown for it. An empty batch completes at once, one of
    ///                  notifications alone when it is on its way. A batch that the peer refuses as a whole is answered
    ///                  by an error without id, which is taken as the answer to each of its calls if nothing else that
    ///                  was sent waits for a first reply, or was given up before it had one. Otherwise the error can't
    ///                  be assigned to a batch: then the calls wait until their time is over, so give them a
    ///                  `call_options::timeout`.
    /// Fails with       as `call`, all calls of it that are open where the array of the replies is too large or no
    ///                  JSON; errc::message_too_large: more than `limits::batch_elements`
    /// Cancellation     as `call`, for all calls that have no reply yet
    /// Lifetime, before, threads   as `call`; the options hold for all of it together
    operation<std::vector<response>> batch(call_batch calls, call_options options = {});

    /// The lifecycle of the session: the state that its profile keeps. Null in plain JSON-RPC. For authors of profiles:
    /// see lsp/client_info.hpp.
    virtual std::shared_ptr<lifecycle> session_lifecycle() const;

protected:
    ~caller() = default;

private:
    friend struct detail::unsent_call;

    /// Throws `std::logic_error` where nothing can be called.
    virtual void check_callable() const {}
    virtual void start_call(std::string method, call_params params, call_options options, call_handler done) = 0;
    virtual void start_notify(std::string method, call_params params, notify_handler done) = 0;
    virtual void start_batch(call_batch calls, call_options options, batch_handler done) = 0;
};

} // namespace partyline
