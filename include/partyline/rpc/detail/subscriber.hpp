#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/function_traits.hpp>
#include <partyline/rpc/detail/typed_handler.hpp>
#include <partyline/rpc/subscription.hpp>
#include <partyline/session/detail/is_empty_function.hpp>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace partyline {

struct subscription_kind;
class subscription_run;

namespace detail {

/// A subscription while the request for it is served.
///
/// Flow: a subscription that is not accepted ends with this object. `accept()` comes last. The subscription begins when
/// a session's client has its answer, or, for a plain POST, when the task that `accept()` returns is run: its own task
/// is started then, and what has been sent to it meanwhile goes out.
class PARTYLINE_EXPORT subscription_start {
public:
    /// Throws `rpc_error` where there is no room for a subscription, or the request cannot have one.
    subscription_start(const std::shared_ptr<const subscription_kind>& kind, request_context& context);
    subscription_start(const subscription_start&) = delete;
    subscription_start& operator=(const subscription_start&) = delete;
    ~subscription_start();

    subscription_sink sink() const noexcept { return subscription_sink(state_); }
    /// The task to run: the subscription ends when the task does.
    void keep(task<void> serving);
    /// The id, which the request is answered with: at once, or, where it is itself what values are sent to, at the end.
    task<std::uint64_t> accept();

private:
    request_context& context_;
    std::shared_ptr<subscription_state> state_;
    std::shared_ptr<subscription_run> serving_;
    bool is_accepted_ = false;
};

/// The signature of a function that serves subscriptions, without the sink.
template <class Parameters>
struct subscriber_parameters {
    static constexpr bool has_sink = false;
    static constexpr bool takes_values = false;
    using arguments = std::tuple<>;
};
template <class First, class... P>
struct subscriber_parameters<std::tuple<First, P...>> {
    static constexpr bool has_sink = std::is_same_v<std::remove_cvref_t<First>, subscription_sink>;
    static constexpr bool takes_values =
        !std::is_reference_v<First> && (!(std::is_reference_v<P> || is_view<P>) && ...);
    using arguments = std::tuple<P...>;
};

template <class F>
struct subscriber_signature : subscriber_parameters<typename function_traits<F>::parameters> {
    static constexpr std::size_t count = std::tuple_size_v<typename subscriber_signature::arguments>;
};

/// Checks of a function that serves subscriptions, each with a sentence.
template <class F>
constexpr bool check_subscriber()
{
    constexpr bool has_signature = requires { typename function_traits<F>::result; } && !member_function<F>;
    static_assert(has_signature, "a subscription's handler has one fixed signature: a function, a lambda without auto, "
                                 "an object with one operator()");
    if constexpr (has_signature) {
        using taken = subscriber_signature<F>;
        using returned = awaited<typename function_traits<F>::result>;
        constexpr bool returns_nothing = std::is_void_v<typename returned::type>;
        constexpr bool takes_values = taken::takes_values || !returned::is_coroutine;
        static_assert(taken::has_sink, "a subscription's handler takes a partyline::subscription_sink first");
        static_assert(returns_nothing, "a subscription's handler returns void, task<void> or awaitable<void>: values "
                                       "are sent by the sink");
        static_assert(takes_values, "a subscription's coroutine takes the sink and its arguments by value, and no "
                                    "views: it outlives the request");
        return taken::has_sink && returns_nothing && takes_values;
    } else
        return false;
}

template <class F, class Arguments>
class subscriber_of;

/// The handler of the method that subscribes: it reads the params as any handler does.
template <class F, class... P>
class subscriber_of<F, std::tuple<P...>> {
    using returned = typename function_traits<F>::result;

public:
    subscriber_of(std::shared_ptr<const subscription_kind> kind, std::shared_ptr<F> function) noexcept
        : kind_(std::move(kind)), function_(std::move(function))
    {
    }

    // No coroutine: what it throws is thrown before there is a subscription.
    task<std::uint64_t> operator()(request_context& context, P... given) const
    {
        subscription_start opened(kind_, context);
        if constexpr (std::is_void_v<returned>)
            (*function_)(opened.sink(), std::forward<P>(given)...);
        else if constexpr (std::is_same_v<returned, task<void>>)
            opened.keep(serve(function_, (*function_)(opened.sink(), std::forward<P>(given)...)));
        else {
            task<void> serving = adopting_task<void>::adopt((*function_)(opened.sink(), std::forward<P>(given)...));
            opened.keep(serve(function_, std::move(serving)));
        }
        return opened.accept();
    }

private:
    // The task may refer to what a lambda has captured, and the table may go first. (Awaited, the task is in this
    // coroutine's frame, and goes before the parameters do.)
    static task<void> serve(std::shared_ptr<F> kept, task<void> of)
    {
        co_await std::move(of);
        kept.reset();
    }

    std::shared_ptr<const subscription_kind> kind_;
    std::shared_ptr<F> function_;
};

template <class F>
using subscriber = subscriber_of<F, typename subscriber_signature<F>::arguments>;

/// Throws `std::invalid_argument` for an empty function.
template <class F>
subscriber<F> make_subscriber(std::shared_ptr<const subscription_kind> kind, F& function)
{
    if (is_empty_function(function))
        throw std::invalid_argument("the function of a subscription is empty");
    return subscriber<F>(std::move(kind), std::make_shared<F>(std::move(function)));
}

/// The names of the parameters, the sink not counted.
template <class F>
using subscriber_names = typename names_by<F, subscriber_signature>::type;

} // namespace detail
} // namespace partyline
