#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/session/call_result.hpp>
#include <partyline/session/detail/task_memory.hpp>

#include <boost/asio/associator.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace partyline::detail {

/// Reads the result of a reply as a `T`; see partyline/rpc/detail/read_result.hpp, which defines it; session.hpp and
/// method_table.hpp include that.
template <class T>
struct result_reader;

template <>
struct result_reader<void> {
    static constexpr bool can_be_read = true;
    static std::optional<std::monostate> read(const json_text&, std::string&) { return std::monostate(); }
};

template <>
struct result_reader<json_text> {
    static constexpr bool can_be_read = true;
    static std::optional<json_text> read(const json_text& result, std::string&) { return result; }
};

/// Completes a handler with what a conversion makes of other results. Its memory is not that of the handler's
/// allocator: where both are kept by `any_completion_handler`, the inner one is destroyed before the outer one's memory
/// is given back, by an allocator that would still look into the inner one.
template <class Conversion, class Handler>
struct converting_handler {
    using allocator_type = task_allocator<std::byte>;
    allocator_type get_allocator() const noexcept { return {}; }

    Handler next;

    template <class... Result>
    void operator()(Result... results)
    {
        Conversion::complete(std::move(next), std::move(results)...);
    }
};

/// Whether anything could be read: no value is made of some numbers, names and strings.
PARTYLINE_EXPORT bool has_value(const json_text& result);

/// Reads a reply as a `T`.
template <class T>
struct reply_as {
    template <class Handler>
    static void complete(Handler&& next, error_code failed, response reply)
    {
        call_result<T> outcome = read(failed, std::move(reply)); // by which it may have failed
        std::forward<Handler>(next)(failed, std::move(outcome));
    }

private:
    static call_result<T> read(error_code& failed, response reply)
    {
        if (failed)
            return typename call_result<T>::failure{failed, reply.details()};
        if (reply.error())
            return *reply.error();
        std::string problem;
        if (auto result = result_reader<T>::read(*reply, problem))
            return std::move(*result);
        failed = has_value(*reply) ? errc::not_convertible : errc::bad_reply;
        return typename call_result<T>::failure{failed, std::move(problem)};
    }
};

/// The completion signature of a call that throws: `void(std::exception_ptr, T)`, without the `T` where that is void.
template <class T>
struct throwing_signature {
    using type = void(std::exception_ptr, T);
    static_assert(std::is_default_constructible_v<T>, "the result of a call has a default constructor: one that fails "
                                                      "completes with an exception and some T");
};
template <>
struct throwing_signature<void> {
    using type = void(std::exception_ptr);
};
template <class T>
using throwing_signature_t = typename throwing_signature<T>::type;

/// Tells a result as such a call does.
template <class T>
struct result_or_exception {
    template <class Handler>
    static void complete(Handler&& next, error_code, call_result<T> outcome)
    {
        if constexpr (std::is_void_v<T>)
            std::forward<Handler>(next)(outcome.exception());
        else if (outcome)
            std::forward<Handler>(next)(std::exception_ptr(), std::move(*outcome));
        else
            std::forward<Handler>(next)(outcome.exception(), T());
    }
};

} // namespace partyline::detail

/// A converting handler runs and is cancelled like the one that it completes.
template <template <class, class> class Associator, class Conversion, class Handler, class Default>
struct boost::asio::associator<Associator, partyline::detail::converting_handler<Conversion, Handler>, Default>
    : Associator<Handler, Default> {
    static auto get(const partyline::detail::converting_handler<Conversion, Handler>& handler) noexcept
    {
        return Associator<Handler, Default>::get(handler.next);
    }
    static auto get(const partyline::detail::converting_handler<Conversion, Handler>& handler,
                    const Default& fallback) noexcept
    {
        return Associator<Handler, Default>::get(handler.next, fallback);
    }
};
