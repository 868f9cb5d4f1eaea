#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/asio/associator.hpp>

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

namespace partyline::detail {

/// Reads the result of a reply as a `T`; see partyline/rpc/detail/read_result.hpp, which defines it; session.hpp and
/// method_table.hpp include that.
template <class T>
struct result_reader;

/// Completes a call for one who wants the result as a `T`.
template <class T, class Handler>
struct converting_handler {
    Handler next;

    void operator()(error_code failed, response reply)
    {
        call_result<T> outcome = read(failed, std::move(reply)); // by which it may have failed
        std::move(next)(failed, std::move(outcome));
    }

private:
    // Whether anything could be read: no value is made of some numbers, names and strings.
    static bool has_value(const json_text& result)
    {
        try {
            result.to_value();
            return true;
        } catch (const rpc_error&) {
            return false;
        }
    }

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

/// What completes a call that throws: `void(std::exception_ptr, T)`, without the `T` where that is void.
template <class T>
struct throwing_signature {
    using type = void(std::exception_ptr, T);
    static_assert(std::is_default_constructible_v<T>, "the result of call<T> has a default constructor: a call that "
                                                      "fails completes with an exception and some T");
};
template <>
struct throwing_signature<void> {
    using type = void(std::exception_ptr);
};
template <class T>
using throwing_signature_t = typename throwing_signature<T>::type;

/// Completes such a call.
template <class T, class Handler>
struct throwing_handler {
    Handler next;

    void operator()(error_code, call_result<T> outcome)
    {
        if constexpr (std::is_void_v<T>)
            std::move(next)(outcome.exception());
        else if (outcome)
            std::move(next)(std::exception_ptr(), std::move(*outcome));
        else
            std::move(next)(outcome.exception(), T());
    }
};

} // namespace partyline::detail

/// A throwing handler runs, allocates and is cancelled like the one that it completes.
template <template <class, class> class Associator, class T, class Handler, class Default>
struct boost::asio::associator<Associator, partyline::detail::throwing_handler<T, Handler>, Default>
    : Associator<Handler, Default> {
    static auto get(const partyline::detail::throwing_handler<T, Handler>& handler) noexcept
    {
        return Associator<Handler, Default>::get(handler.next);
    }
    static auto get(const partyline::detail::throwing_handler<T, Handler>& handler, const Default& fallback) noexcept
    {
        return Associator<Handler, Default>::get(handler.next, fallback);
    }
};

/// And so is a converting one.
template <template <class, class> class Associator, class T, class Handler, class Default>
struct boost::asio::associator<Associator, partyline::detail::converting_handler<T, Handler>, Default>
    : Associator<Handler, Default> {
    static auto get(const partyline::detail::converting_handler<T, Handler>& handler) noexcept
    {
        return Associator<Handler, Default>::get(handler.next);
    }
    static auto get(const partyline::detail::converting_handler<T, Handler>& handler, const Default& fallback) noexcept
    {
        return Associator<Handler, Default>::get(handler.next, fallback);
    }
};
