#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/rpc/detail/bound_function.hpp>
#include <partyline/rpc/detail/read_result.hpp>
#include <partyline/rpc/detail/subscriber.hpp>
#include <partyline/rpc/method_description.hpp>
#include <partyline/rpc/middleware.hpp>
#include <partyline/rpc/parameter_names.hpp>
#include <partyline/rpc/subscription.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/method_options.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline {

namespace detail {

template <class Text>
constexpr void refuse_text()
{
    static_assert(!lone_text<Text>, "a text by itself says nothing here: names stand in braces, "
                                    "add(\"x\", f, {\"a\"}), and what a method does is {.description = \"...\"}");
}

} // namespace detail

/// The methods that a session offers, by name.
///
/// A handler can be: a plain function or a coroutine, which returns `task<T>` or, for more time and memory,
/// `boost::asio::awaitable<T>` (see task.hpp); a lambda, mutable or move-only ones too; an object with one
/// `operator()`; a member function with its object; a `std::function`; a result of `std::bind_front`. Anything else
/// does not compile, and the first error says why.
///
/// The parameters of a handler: a `request_context&` may come first. A single argument of type `json::value` (null
/// without params), `json::object`, `json::array`, `json_text`, `json_view`, `whole_params<T>` or a described struct
/// (BOOST_DESCRIBE_STRUCT; by name, or by position in the order of the members) takes the params as a whole. Other
/// arguments come by position, or by the names that they are added with; a `std::optional` may be absent or null.
/// Arguments can be booleans, numbers (integers in range; 2.0 is one, 2.5 is not), strings, `std::optional`,
/// `std::variant` (the first alternative that fits), containers, pairs and tuples, described enums (by name) and
/// structs, durations (numbers of their unit), paths, the types of Boost.JSON, raw text (as an argument of its own),
/// and types that Boost.JSON converts.
///
/// The result of a handler: void (sent as null), a value, text (`json_text`, from plain functions also `json_view`),
/// any type of an argument, or anything that `json::value_from` converts; or such a value or an error, as
/// `boost::system::result<T, rpc_error>` or `std::expected<T, rpc_error>`.
///
/// The notes of a struct about its members and enumerators are honoured: see rpc/notes.hpp. Notes, the method's options
/// or the profile tell whether unknown members of objects are refused, and how a struct's empty `std::optional` is
/// written: see session/binding.hpp.
///
/// Params that do not fit are answered with -32602 "Invalid params" and `data {parameter, expected, got}`; `parameter`
/// is left out where the params as a whole do not fit. Where several do not fit, the array `others` has up to nine
/// more.
///
/// Arguments live until the handler has ended, so a coroutine may take them by reference to const. Views (`json_view`,
/// `std::string_view`) are for plain functions only and end with their call. Values may be kept.
///
/// A handler object lives in the table and is called for every request, so its state is shared by all of them; under a
/// method option `executor`, by several threads. A session does not change a table; fill it before the session has it.
///
/// Errors: adding throws `std::invalid_argument` at once, and adds nothing, for a name that is taken, is empty or
/// begins with "rpc." (JSON-RPC 2.0 §4 reserves those), an empty function or a null object, names of parameters that
/// are not as many as the parameters or not different, and names and descriptions that are not UTF-8.
///
/// Thread safety: `find`, `names` and `describe` from several threads at a time, as long as nothing is added.
///
///     partyline::method_table methods;
///     methods.add("add", [](int a, int b) { return a + b; }, {"a", "b"});
///     methods.add("slow_echo", slow_echo, {.description = "Answers after a while"}); // a coroutine
///     methods.add_notification("log", [](std::string text) { show(text); });
///     methods.set_fallback([](partyline::request_context& context) { return "no " + std::string(context.method()); });
class PARTYLINE_EXPORT method_table final : public dispatcher {
public:
    /// A table without methods.
    method_table() noexcept;
    ~method_table() override;
    method_table(method_table&&) noexcept;
    method_table& operator=(method_table&&) noexcept;

    /// Adds a method. Its arguments come by position, or its one argument takes the params as a whole.
    template <class F>
    void add(std::string name, F function, method_options options = {})
    {
        bind(name, options, false, function);
    }

    /// Adds a method whose arguments come by position or by name: `add("sum", sum, {"a", "b"})`. A wrong number of
    /// names does not compile; of `parameter_names`, it throws.
    template <class F>
    void add(std::string name, F function, const detail::names_of<F>& names, method_options options = {})
    {
        bind(name, options, false, function, names.get());
    }

    /// Adds a method that is a member function: `add("sum", &counter::sum, &one, {"a", "b"})`. The object is pointed
    /// at, by a pointer of any kind, and lives as long as the table and the sessions that have it, or is kept by a
    /// `std::shared_ptr`.
    ///
    ///     counter one;
    ///     methods.add("step", &counter::step, &one);
    template <detail::member_function F, detail::object_pointer Pointer>
    void add(std::string name, F function, Pointer object, method_options options = {})
    {
        bind_member(name, options, false, function, std::move(object));
    }
    /// Adds a method that is a member function, with names.
    template <detail::member_function F, detail::object_pointer Pointer>
    void add(std::string name, F function, Pointer object, const detail::names_of<F>& names,
             method_options options = {})
    {
        bind_member(name, options, false, function, std::move(object), names.get());
    }
    /// Does not compile, with a sentence as the error: a text by itself is neither a list of names, which has braces,
    /// nor options.
    template <class F, detail::lone_text Text>
    void add(std::string, F, const Text&, const method_options& = {})
    {
        detail::refuse_text<Text>();
    }
    /// Does not compile, for member functions.
    template <detail::member_function F, detail::object_pointer Pointer, detail::lone_text Text>
    void add(std::string, F, Pointer, const Text&, const method_options& = {})
    {
        detail::refuse_text<Text>();
    }

    /// Adds a method for notifications only: a request for it is answered "Method not found".
    template <class F>
    void add_notification(std::string name, F function, method_options options = {})
    {
        bind(name, options, true, function);
    }
    /// Adds a method for notifications only, with names, as `add` does.
    template <class F>
    void add_notification(std::string name, F function, const detail::names_of<F>& names, method_options options = {})
    {
        bind(name, options, true, function, names.get());
    }
    /// Adds a member function for notifications only, as `add` does.
    template <detail::member_function F, detail::object_pointer Pointer>
    void add_notification(std::string name, F function, Pointer object, method_options options = {})
    {
        bind_member(name, options, true, function, std::move(object));
    }
    /// Adds a member function for notifications only, with names.
    template <detail::member_function F, detail::object_pointer Pointer>
    void add_notification(std::string name, F function, Pointer object, const detail::names_of<F>& names,
                          method_options options = {})
    {
        bind_member(name, options, true, function, std::move(object), names.get());
    }
    /// Does not compile, as with `add`.
    template <class F, detail::lone_text Text>
    void add_notification(std::string, F, const Text&, const method_options& = {})
    {
        detail::refuse_text<Text>();
    }
    /// Does not compile, as with `add` of member functions.
    template <detail::member_function F, detail::object_pointer Pointer, detail::lone_text Text>
    void add_notification(std::string, F, Pointer, const Text&, const method_options& = {})
    {
        detail::refuse_text<Text>();
    }

    /// Adds a kind of subscriptions, with the methods that subscribe and unsubscribe: see rpc/subscription.hpp.
    ///
    ///     methods.add_subscription({"subscribe_count", "count", "unsubscribe_count"}, count, {"from"});
    template <class F>
    void add_subscription(const subscription_names& names, F function, const subscription_options& options = {})
    {
        bind_subscription(names, function, options);
    }
    /// Adds a kind of subscriptions with the names of the parameters that follow the sink.
    template <class F>
    void add_subscription(const subscription_names& names, F function, const detail::subscriber_names<F>& parameters,
                          const subscription_options& options = {})
    {
        bind_subscription(names, function, options, parameters.get());
    }

    /// Sets the handler of requests and notifications that no method serves; `request_context::method` tells their
    /// name. The fallback can be set once.
    template <class F>
    void set_fallback(F function, method_options options = {})
    {
        if constexpr (detail::check_handler<F>())
            insert_fallback(options, detail::bound_function::of(function));
    }

    /// Has a function called around every request that this table serves, notifications, the fallback and
    /// `rpc.discover` among them, whether added before or later, but not around requests that nothing serves. Of
    /// several functions the first is outermost. Without functions there is no cost.
    ///
    /// A plain function `f(context)` or `f(context, params)` runs before the handler, on the handler's executor. The
    /// function refuses by throwing `rpc_error`, answers by returning a result (`std::optional<json::value>` or
    /// `std::optional<json_text>`), and passes values to the handler by `context.attach`; these are destroyed when the
    /// handler has ended.
    ///
    /// A coroutine `f(context, params, next)` returns `task<request_result>` and awaits `next()`, once, to have the
    /// request served; it may change the result, or answer instead, or await something first. A coroutine without
    /// `next` runs before the handler, and returns `task<void>` or a task of an optional result that answers. (Each may
    /// be an `asio::awaitable`, too; that awaits `next()(asio::use_awaitable)`.) After coroutine middleware every
    /// handler runs as a coroutine, plain functions, too: where the order of notifications matters, add the methods
    /// with `method_options::ordered`.
    ///
    /// An exception of such a function is answered like one of a handler. A function that does not end holds up its
    /// request as such a handler does: until the request is cancelled, or its deadline is over. The function is called
    /// for several requests at a time, and under a method option `executor` from several threads.
    ///
    ///     methods.around_requests([](partyline::request_context& context) {
    ///         if (!may_call(context.method()))
    ///             throw partyline::rpc_error(1001, "Not allowed");
    ///     });
    ///     methods.around_requests([](partyline::request_context& context, partyline::json_view,
    ///                                partyline::next_handler& next) -> partyline::task<partyline::request_result> {
    ///         partyline::request_result result = co_await next();
    ///         show("served " + std::string(context.method()));
    ///         co_return result;
    ///     });
    template <class F>
    void around_requests(F function)
    {
        request_middleware_list added;
        added.add(std::move(function));
        around_requests(added);
    }
    /// Has all functions of a list called, in their order. Functions that are added to the list later are not called.
    void around_requests(const request_middleware_list& all);

    /// Adds the method `rpc.discover`, which answers with an OpenRPC 1.3 document of all methods, those that are added
    /// later among them: `partyline-call --list` shows it. A peer that can call it learns which methods exist, except
    /// for those that its session's `access_view` hides.
    void add_discovery(service_description of);

    /// The names of all methods and notifications, sorted; without the fallback, which has none, and `rpc.discover`.
    std::vector<std::string> names() const;

    /// Descriptions of the methods and notifications, sorted by name; without the fallback and `rpc.discover`. They
    /// take notes and `method_options::binding` into account; a session's profile is not known here, so unknown members
    /// and empty optionals count as in plain JSON-RPC.
    std::vector<method_description> describe() const;

    /// The method of that name, or else the fallback, or else null. Valid as long as the table, also when it is moved.
    const method* find(std::string_view name) const noexcept override;

private:
    // Arguments are passed on by reference, to be moved from in the end: so little is compiled for each function.
    template <class F>
    void bind(std::string& name, method_options& options, bool is_notification, F& function)
    {
        if constexpr (detail::check_handler<F>())
            insert(name, options, is_notification, detail::bound_function::of(function));
    }
    template <class F>
    void bind(std::string& name, method_options& options, bool is_notification, F& function,
              const parameter_names& names)
    {
        if constexpr (detail::check_handler<F>())
            insert(name, options, is_notification, detail::bound_function::of(function, names));
    }

    template <class F, class Pointer, class... Names>
    void bind_member(std::string& name, method_options& options, bool is_notification, F function, Pointer object,
                     const Names&... names)
    {
        auto bound = detail::with_object(function, std::move(object), "method", name);
        bind(name, options, is_notification, bound, names...);
    }

    template <class F, class... Names>
    void bind_subscription(const subscription_names& names, F& function, const subscription_options& options,
                           const Names&... parameters)
    {
        if constexpr (detail::check_subscriber<F>()) {
            const auto kind = make_kind(names, options);
            auto call = detail::make_subscriber(kind, function);
            insert_subscription(kind, detail::bound_function::of(call, parameters...));
        }
    }

    void insert(std::string& name, method_options& options, bool is_notification, const detail::bound_function& from);
    void insert_any(method added, detail::signature_schema types, std::vector<std::string> names);
    std::shared_ptr<const subscription_kind> make_kind(const subscription_names& names,
                                                       const subscription_options& options);
    void insert_subscription(const std::shared_ptr<const subscription_kind>& kind, const detail::bound_function& from);
    void insert_fallback(method_options& options, const detail::bound_function& from);

    struct served_method;
    struct entry;
    struct index;
    class discovery;
    std::unique_ptr<index> index_; // null until something is added
};

} // namespace partyline
