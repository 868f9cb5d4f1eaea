#pragma once

#include <partyline/config.hpp>
#include <partyline/session/detail/is_empty_function.hpp>
#include <partyline/session/handler.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <utility>

namespace partyline {

struct session_options;

namespace detail {

template <class T>
concept table_pointer = std::convertible_to<T, std::shared_ptr<const dispatcher>>;

template <class T>
concept method_table_like = std::derived_from<T, dispatcher> || table_pointer<T>;

template <class F>
concept maker_with_executor =
    requires(F& make, const boost::asio::any_io_executor& executor, session_options& options) {
        { make(executor, options) } -> method_table_like;
    };

template <class F>
concept method_maker = maker_with_executor<F> || requires(F& make, session_options& options) {
    { make(options) } -> method_table_like;
};

} // namespace detail

/// The methods that sessions serve: a table that is moved in, one that is shared, or a function that makes one for each
/// session. Sessions, servers and all else that serves methods take this type; it is made implicitly:
///
///     const auto shared = std::make_shared<const partyline::method_table>(std::move(methods));
///     partyline::session one(std::move(socket), shared);
///     partyline::server many(executor, partyline::method_table());
///     partyline::server each(executor, [shared](partyline::session_options& its) {
///         its.user_data = std::string("guest");
///         return shared;
///     });
///
/// The function takes `session_options&`, or the executor of the session before that; a session does everything on its
/// executor. The function may change the options, such as the profile, but not where the session runs
/// (`session_options::executor_is_serial`), and returns a table, or a `std::shared_ptr` to one. A session calls it
/// once, before its constructor returns; a server when a client has connected, with the client in
/// `session_options::peer`; other types document when. Several threads of a server may call it at once. An exception
/// that it throws leaves the constructor of the session; a client that has connected is refused.
///
/// Misuse throws at once: `std::invalid_argument` for a null pointer and an empty function.
///
/// Copyable: copies share the table, and each has a copy of the function.
class PARTYLINE_EXPORT served_methods {
public:
    /// Serves a table of its own.
    template <std::derived_from<dispatcher> Methods>
    served_methods(Methods methods) : shared_(std::make_shared<const Methods>(std::move(methods)))
    {
    }

    /// Serves a table that others may share.
    template <detail::table_pointer Pointer>
    served_methods(Pointer methods) : shared_(not_null(std::move(methods)))
    {
    }

    /// Serves each session by the methods that this function makes.
    template <detail::method_maker F>
    served_methods(F function)
    {
        if (detail::is_empty_function(function))
            refuse_empty();
        make_ = [make = std::move(function)](const boost::asio::any_io_executor& executor,
                                             session_options& options) mutable {
            if constexpr (detail::maker_with_executor<F>)
                return pointer_to(make(executor, options));
            else
                return pointer_to(make(options));
        };
    }

    /// The methods of a session that begins; never null. `executor` is its own. Throws what the function throws,
    /// `std::invalid_argument` where that returns a null pointer, and `std::logic_error` when this was moved from.
    std::shared_ptr<const dispatcher> for_session(const boost::asio::any_io_executor& executor,
                                                  session_options& options) const;

    /// The table that all sessions have; null where one is made for each.
    const std::shared_ptr<const dispatcher>& shared() const noexcept { return shared_; }

private:
    template <class T>
    static std::shared_ptr<const dispatcher> pointer_to(T made)
    {
        if constexpr (detail::table_pointer<T>)
            return made;
        else
            return std::make_shared<const T>(std::move(made));
    }
    static std::shared_ptr<const dispatcher> not_null(std::shared_ptr<const dispatcher> methods);
    [[noreturn]] static void refuse_empty();

    std::shared_ptr<const dispatcher> shared_;
    std::function<std::shared_ptr<const dispatcher>(const boost::asio::any_io_executor&, session_options&)> make_;
};

} // namespace partyline
