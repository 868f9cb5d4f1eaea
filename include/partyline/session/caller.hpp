#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/session/call_batch.hpp>
#include <partyline/session/call_options.hpp>
#include <partyline/session/call_params.hpp>
#include <partyline/session/call_result.hpp>
#include <partyline/session/detail/typed_completion.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace partyline {

class lifecycle;

/// What completes a call: see `caller::async_call`.
using call_handler = boost::asio::any_completion_handler<void(error_code, response)>;
/// What completes a notification: see `caller::async_notify`.
using notify_handler = boost::asio::any_completion_handler<void(error_code)>;
/// What completes a batch: see `caller::async_batch`.
using batch_handler = boost::asio::any_completion_handler<void(error_code, std::vector<response>)>;

namespace detail {

/// A completion token where params could stand, too.
template <class T, class Signature>
concept token_not_params = !std::convertible_to<T, call_params> && boost::asio::completion_token_for<T, Signature>;

} // namespace detail

/// Who may call the peer: a session, or within a handler its `request_context`.
///
/// A call of a handler belongs to the handler's request: cancelling that cancels it. While a handler waits for a reply
/// its request does not count as in flight: two peers that are as busy as they may be and call each other back go on.
/// (At most `limits::peer_waits` requests are exempt; a further call fails with `errc::too_many_calls`, which as an
/// exception is answered -31001 "Server busy".)
///
/// What is called, told and sent in batches goes out in order. While more than `limits::outbox_soft_bytes` wait for the
/// peer to read, it waits; in all at most `limits::calls` calls wait for replies, with `limits::call_bytes` not yet
/// sent.
class PARTYLINE_EXPORT caller {
public:
    /// Calls a method of the peer. Params, options and token may each be left out, in this order. Nothing is thrown,
    /// also not by `co_await`, with a token that says so:
    /// `const auto [failed, reply] = co_await peer.async_call("add", args(2, 40), as_tuple(use_awaitable))`.
    ///
    ///     peer.async_call("add", args(2, 40), [](partyline::error_code failed, partyline::response reply) {
    ///         if (reply)
    ///             show(reply->text()); // 42, as it came
    ///         else
    ///             show(failed ? failed.message() : reply.error()->message);
    ///     });
    ///
    /// Completes with   void(error_code, response). The code tells local failures alone; an error that the peer
    ///                  answered is a value: `response::error()`. It completes once, however the session ends, and
    ///                  never from within.
    /// Fails with       errc::timeout; errc::peer_closed: input ended before the reply; `child_exit`: the child ended;
    ///                  errc::peer_gone, errc::write_stalled or an error of the stream: as `async_run` ends;
    ///                  errc::session_closed: by `close()`, `stop()` or destruction, or ended already; errc::bad_reply;
    ///                  errc::message_too_large; errc::bad_params; errc::too_many_calls; errc::refused: middleware
    ///                  around it threw. What the hook refuses is answered by its error.
    /// Cancellation     terminal, partial, total: the peer is told to cancel (`$/cancelRequest`), the call completes at
    ///                  once with operation_aborted; a late reply is ignored
    /// Lifetime         the arguments are taken over
    /// Before           a call made before `async_run` is sent when that starts
    /// Threads          of a session: any; of a request_context: where its handler runs
    template <class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code, response)>
    auto async_call(std::string method, call_params params, call_options options, Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code, response)>(
            [](auto handler, caller* self, std::string name, call_params given, call_options how) {
                self->start_call(std::move(name), std::move(given), std::move(how), call_handler(std::move(handler)));
            },
            token, this, std::move(method), std::move(params), std::move(options));
    }
    /// The same without options.
    template <class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code, response)>
    auto async_call(std::string method, call_params params = nullptr, Token&& token = {})
    {
        return async_call(std::move(method), std::move(params), call_options(), std::forward<Token>(token));
    }
    /// The same without params.
    template <class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code, response)>
    auto async_call(std::string method, std::same_as<call_options> auto options, Token&& token = {})
    {
        return async_call(std::move(method), call_params(), std::move(options), std::forward<Token>(token));
    }
    /// The same without both.
    template <detail::token_not_params<void(error_code, response)> Token>
    auto async_call(std::string method, Token&& token)
    {
        return async_call(std::move(method), call_params(), call_options(), std::forward<Token>(token));
    }

    /// The same with the result as a `T`: whatever can be a parameter of a handler. Of a described struct, members that
    /// it does not know are ignored; those that it has must be there, unless `std::optional` or `defaulted`.
    ///
    ///     peer.async_call<int>("add", args(2, 40), [](partyline::error_code failed, partyline::call_result<int> sum) {
    ///         show(sum ? std::to_string(*sum) : failed.message());
    ///     });
    ///
    /// Completes with   void(error_code, call_result<T>)
    /// Fails with       besides: errc::not_convertible, where `call_result::details` tells what was expected and what
    ///                  came
    template <class T, class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code, call_result<T>)>
    auto async_call(std::string method, call_params params, call_options options, Token&& token = {})
    {
        static_assert(detail::result_reader<T>::can_be_read); // with a sentence
        return boost::asio::async_initiate<Token, void(error_code, call_result<T>)>(
            [](auto handler, caller* self, std::string name, call_params given, call_options how) {
                detail::converting_handler<T, decltype(handler)> converting{std::move(handler)};
                self->start_call(std::move(name), std::move(given), std::move(how),
                                 call_handler(std::move(converting)));
            },
            token, this, std::move(method), std::move(params), std::move(options));
    }
    /// The same without options.
    template <class T, class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code, call_result<T>)>
    auto async_call(std::string method, call_params params = nullptr, Token&& token = {})
    {
        return async_call<T>(std::move(method), std::move(params), call_options(), std::forward<Token>(token));
    }
    /// The same without params.
    template <class T, class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code, call_result<T>)>
    auto async_call(std::string method, std::same_as<call_options> auto options, Token&& token = {})
    {
        return async_call<T>(std::move(method), call_params(), std::move(options), std::forward<Token>(token));
    }
    /// The same without both.
    template <class T, detail::token_not_params<void(error_code, call_result<T>)> Token>
    auto async_call(std::string method, Token&& token)
    {
        return async_call<T>(std::move(method), call_params(), call_options(), std::forward<Token>(token));
    }

    /// Calls a method of the peer as if it were a function: `int sum = co_await peer.call<int>("add", args(2, 40))`.
    /// Whatever is not the result is thrown: the peer's error as `rpc_error`; what `async_call` fails with as
    /// `boost::system::system_error`, whose text has the details (what of the result was not as expected, what a child
    /// process that died said last). (In a handler: an error of this peer that is let through is what the handler's own
    /// request is answered with.)
    ///
    ///     const int sum = co_await peer.call<int>("add", args(2, 40));
    ///     co_await peer.call<void>("shut_down", partyline::call_options().timeout(5s));
    ///
    /// Completes with   void(std::exception_ptr, T), or void(std::exception_ptr) where T is void: the result is not
    ///                  looked at
    /// Fails with, cancellation, lifetime, before, threads   as `async_call`
    template <class T, class Token = boost::asio::use_awaitable_t<>>
        requires boost::asio::completion_token_for<Token, detail::throwing_signature_t<T>>
    auto call(std::string method, call_params params, call_options options, Token&& token = {})
    {
        static_assert(detail::result_reader<T>::can_be_read); // with a sentence
        return boost::asio::async_initiate<Token, detail::throwing_signature_t<T>>(
            [](auto handler, caller* self, std::string name, call_params given, call_options how) {
                using throwing = detail::throwing_handler<T, decltype(handler)>;
                detail::converting_handler<T, throwing> converting{throwing{std::move(handler)}};
                self->start_call(std::move(name), std::move(given), std::move(how),
                                 call_handler(std::move(converting)));
            },
            token, this, std::move(method), std::move(params), std::move(options));
    }
    /// The same without options.
    template <class T, class Token = boost::asio::use_awaitable_t<>>
        requires boost::asio::completion_token_for<Token, detail::throwing_signature_t<T>>
    auto call(std::string method, call_params params = nullptr, Token&& token = {})
    {
        return call<T>(std::move(method), std::move(params), call_options(), std::forward<Token>(token));
    }
    /// The same without params.
    template <class T, class Token = boost::asio::use_awaitable_t<>>
        requires boost::asio::completion_token_for<Token, detail::throwing_signature_t<T>>
    auto call(std::string method, std::same_as<call_options> auto options, Token&& token = {})
    {
        return call<T>(std::move(method), call_params(), std::move(options), std::forward<Token>(token));
    }
    /// The same without both.
    template <class T, detail::token_not_params<detail::throwing_signature_t<T>> Token>
    auto call(std::string method, Token&& token)
    {
        return call<T>(std::move(method), call_params(), call_options(), std::forward<Token>(token));
    }

    /// Tells the peer something, with any completion token. (`request_context::notify` is a handler's own: in order
    /// with its progress and its reply, to be awaited or ignored, and what is wrong is thrown.)
    ///
    ///     peer.async_notify("log", named("text", "ready"), boost::asio::detached);
    ///
    /// Completes with   void(error_code) when it is on its way: there was room for it
    /// Fails with       as `async_call`, where it was not sent; errc::refused: by the hook
    /// Cancellation     terminal, partial, total: it is not sent, if it still waits; completes with operation_aborted
    ///                  then
    /// Lifetime, before, threads   as `async_call`
    template <class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code)>
    auto async_notify(std::string method, call_params params = nullptr, Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code)>(
            [](auto handler, caller* self, std::string name, call_params given) {
                self->start_notify(std::move(name), std::move(given), notify_handler(std::move(handler)));
            },
            token, this, std::move(method), std::move(params));
    }
    /// The same without params.
    template <detail::token_not_params<void(error_code)> Token>
    auto async_notify(std::string method, Token&& token)
    {
        return async_notify(std::move(method), call_params(), std::forward<Token>(token));
    }

    /// Sends calls and notifications in one message.
    ///
    ///     partyline::call_batch both;
    ///     both.call("add", args(2, 40)).notify("log", args("adding")).call("add", args(1, 1));
    ///     peer.async_batch(std::move(both), [](partyline::error_code, std::vector<partyline::response> replies) {
    ///         for (const partyline::response& reply : replies) // of the two calls
    ///             show(reply ? reply->text() : "no result");
    ///     });
    ///
    /// Completes with   void(error_code, std::vector<response>) when the last call has: one response for each
    ///                  `call_batch::call`, in their order. The code is that of the first one that failed locally; each
    ///                  response has its own, too. An empty batch completes at once, one of notifications alone when it
    ///                  is on its way. A batch that the peer refuses as a whole is answered by an error without id,
    ///                  which is taken as the answer to each of its calls if nothing else that was sent waits for a
    ///                  first reply, or was given up before it had one. Else nobody knows what it is about: then
    ///                  the calls wait for their time to be over, so give them a `call_options::timeout`.
    /// Fails with       as `async_call`, all calls of it that are open where the array of the replies is too large or
    ///                  no JSON; errc::message_too_large: more than `limits::batch_elements`
    /// Cancellation     as `async_call`, for all calls that have no reply yet
    /// Lifetime, before, threads   as `async_call`; the options hold for all of it together
    template <class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code, std::vector<response>)>
    auto async_batch(call_batch calls, call_options options, Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code, std::vector<response>)>(
            [](auto handler, caller* self, call_batch all, call_options how) {
                self->start_batch(std::move(all), std::move(how), batch_handler(std::move(handler)));
            },
            token, this, std::move(calls), std::move(options));
    }
    /// The same without options.
    template <class Token = boost::asio::deferred_t>
        requires boost::asio::completion_token_for<Token, void(error_code, std::vector<response>)>
    auto async_batch(call_batch calls, Token&& token = {})
    {
        return async_batch(std::move(calls), call_options(), std::forward<Token>(token));
    }

    /// What the session's profile remembers; null in plain JSON-RPC. For those who write profiles: see
    /// lsp/client_info.hpp.
    virtual std::shared_ptr<lifecycle> session_lifecycle() const;

protected:
    ~caller() = default;

private:
    virtual void start_call(std::string method, call_params params, call_options options, call_handler done) = 0;
    virtual void start_notify(std::string method, call_params params, notify_handler done) = 0;
    virtual void start_batch(call_batch calls, call_options options, batch_handler done) = 0;
};

} // namespace partyline
