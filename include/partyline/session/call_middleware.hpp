#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/session/attachments.hpp>
#include <partyline/session/call_options.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace partyline {

class held_call;
class request_context;

/// A call or a notification that is about to be sent, as call middleware sees it. Changes to it are sent.
class PARTYLINE_EXPORT peer_call {
public:
    /// For the library: a call of `from`'s handler, in a protocol with this member for metadata.
    peer_call(std::string_view metadata, std::size_t depth, request_context* from, bool is_notification,
              bool is_posted_alone = false) noexcept
        : metadata_(metadata), depth_(depth), from_(from), is_notification_(is_notification),
          is_posted_alone_(is_posted_alone)
    {
    }

    /// The name that is called; not empty when it is sent.
    std::string method;
    /// The params: an array or an object; empty: none. Text that middleware makes is checked before it is sent.
    json_text params;
    /// The options of a call. In a batch they hold for all of it, and changes are ignored.
    call_options options;
    /// Values that are passed along with the call, from one middleware to the next.
    attachments attached;

    /// Whether it is a notification. Middleware can't change that.
    bool is_notification() const noexcept { return is_notification_; }

    /// The request whose handler makes the call; null for a call from outside of handlers, and from the first coroutine
    /// on: the handler may have ended then.
    request_context* request() const noexcept { return from_; }

    /// The reason why the call has ended although a coroutine around it still runs: its time was over
    /// (`errc::timeout`), it was cancelled (`asio::error::operation_aborted`), or its session has ended. None while it
    /// is open.
    error_code ended() const noexcept { return ended_; }

    /// Sets a member of the params' metadata (see `profile::metadata`), which is made where there is none. Nothing
    /// happens where the params are an array, or the profile has no metadata. Throws `std::invalid_argument` for a
    /// value that has no JSON text, or is nested deeper than `limits::depth` allows there.
    void set_metadata(std::string_view name, const boost::json::value& value);

    /// Sets the field `Partyline-Proof` of the POST by which the call is sent next: the proof of a call whose params
    /// are an array (see `access::sign_calls`). Returns false, and does nothing, where the call has no POST of its own:
    /// on streams and WebSockets, and for notifications and elements of batches.
    bool set_proof_beside(std::string proof);
    /// For the library: takes that value.
    std::string take_proof_beside() noexcept { return std::exchange(proof_beside_, {}); }

private:
    friend class held_call;
    std::string_view metadata_;
    std::size_t depth_; // that params may have with their envelope
    request_context* from_;
    error_code ended_;
    std::string proof_beside_;
    bool is_notification_;
    bool is_posted_alone_;
};

/// The next call middleware, and at last the peer.
class PARTYLINE_EXPORT next_call {
public:
    next_call(const next_call&) = delete;
    next_call& operator=(const next_call&) = delete;

    /// Sends the call as it is now. Each time this sends another call, so that a call can be retried.
    ///
    /// Completes with   response: the result, the peer's error, or the local failure. Of a notification: an empty text
    ///                  when it is on its way.
    /// Fails with       the exceptions of middleware after this one
    /// Lifetime         awaited before the middleware ends
    /// Cancellation     by itself, when the caller cancels the call, or its time is over
    /// Threads          on the session's executor, where the middleware began
    boost::asio::awaitable<response> operator()();

private:
    friend class held_call;
    next_call(held_call& of, std::size_t at) noexcept : of_(of), at_(at) {}

    held_call& of_;
    const std::size_t at_;
};

/// Middleware around the calls of a session: see `call_middleware_list::add`, which makes these of functions.
class PARTYLINE_EXPORT call_middleware {
public:
    /// `is_coroutine`: `around` is called, and `before` is not. Else the other way round.
    explicit call_middleware(bool is_coroutine) noexcept : is_coroutine_(is_coroutine) {}
    virtual ~call_middleware() = default;
    call_middleware(const call_middleware&) = delete;
    call_middleware& operator=(const call_middleware&) = delete;

    /// Whether `around` is called, or `before`.
    bool is_coroutine() const noexcept { return is_coroutine_; }

    /// Called for middleware that is no coroutine: looks at a call, and may answer it.
    virtual std::optional<response> before(peer_call& call);
    /// Called for a coroutine: makes the call, by way of `next` or not. Both arguments are valid until it has ended.
    virtual boost::asio::awaitable<response> around(peer_call& call, next_call& next);

private:
    bool is_coroutine_;
};

namespace detail {

template <class F>
class plain_call_middleware final : public call_middleware {
public:
    explicit plain_call_middleware(F function) : call_middleware(false), function_(std::move(function)) {}

    std::optional<response> before(peer_call& call) override
    {
        using result = std::invoke_result_t<F&, peer_call&>;
        static_assert(std::disjunction_v<std::is_void<result>, std::is_convertible<result, std::optional<response>>>,
                      "a call middleware that is a plain function returns void, or an optional response that is what "
                      "the call comes to where there is one");
        if constexpr (std::is_void_v<result>) {
            function_(call);
            return std::nullopt;
        } else
            return function_(call);
    }

private:
    F function_;
};

template <class F>
class coroutine_call_middleware final : public call_middleware {
public:
    explicit coroutine_call_middleware(F function) : call_middleware(true), function_(std::move(function)) {}

    boost::asio::awaitable<response> around(peer_call& call, next_call& next) override { return function_(call, next); }

private:
    F function_;
};

} // namespace detail

/// The middleware that the calls and notifications of a session pass on their way to the peer; the first one is
/// outermost. Progress does not pass it.
///
/// Flow: the plain functions up to the first coroutine run where the call is made, on that thread; the rest on the
/// session's executor. The elements of a batch, and notifications of `request_context::notify`, pass only the plain
/// functions.
/// Thread safety: copies share the functions, and so do all sessions of a `server`, which may call them at the same
/// time.
class call_middleware_list {
public:
    /// Adds a plain function `f(call)`, which runs before the call is sent. The function may change the call; it may
    /// refuse the call by throwing `rpc_error`, with which the call completes as if the peer had answered that error;
    /// and it may return the outcome of the call (`std::optional<response>`). Or adds a coroutine `f(call, next)`,
    /// which returns `awaitable<response>` and awaits `next()`, any number of times, or answers instead. The time limit
    /// of the whole call is that of `call_options` when the first coroutine begins; a limit that a coroutine sets
    /// bounds each try. A call that a coroutine holds has a number of its own, which the ids that the peer sees skip.
    /// (A notification that is refused completes with `errc::refused`.)
    ///
    /// A `system_error` that such a function throws fails the call with its code, any other exception with
    /// `errc::refused`, and the text as details. While a coroutine has not ended the call is open: its timeout and its
    /// cancellation end it at once, the end of the session as well; then operations that the coroutine awaits are
    /// cancelled, and its result is dropped.
    ///
    /// Throws `std::invalid_argument` for an empty function.
    ///
    ///     options.around_calls.add([](partyline::peer_call& call) { call.set_metadata("caller", "indexer"); });
    template <class F>
    void add(F function)
    {
        constexpr bool is_coroutine =
            std::is_invocable_r_v<boost::asio::awaitable<response>, F&, peer_call&, next_call&>;
        constexpr bool is_plain = std::invocable<F&, peer_call&>;
        static_assert(is_coroutine || is_plain, "a call middleware is a function of (peer_call&), or a coroutine of "
                                                "(peer_call&, next_call&) that returns awaitable<response>");
        if constexpr (std::is_pointer_v<F> || (requires { function == nullptr; } && !requires { +function; })) {
            if (function == nullptr)
                throw std::invalid_argument("call middleware: the function is empty");
        }
        if constexpr (is_coroutine)
            all_.push_back(std::make_shared<detail::coroutine_call_middleware<F>>(std::move(function)));
        else if constexpr (is_plain)
            all_.push_back(std::make_shared<detail::plain_call_middleware<F>>(std::move(function)));
    }

    /// Whether the list is empty.
    bool empty() const noexcept { return all_.empty(); }
    /// The number of functions.
    std::size_t size() const noexcept { return all_.size(); }
    /// The function at `index`, which is less than `size()`; 0 is the outermost.
    call_middleware& operator[](std::size_t index) const noexcept { return *all_[index]; }

private:
    std::vector<std::shared_ptr<call_middleware>> all_;
};

} // namespace partyline
