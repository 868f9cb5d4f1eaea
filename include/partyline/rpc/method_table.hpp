#pragma once

#include <partyline/rpc/args.hpp>
#include <partyline/rpc/detail/read_result.hpp>
#include <partyline/rpc/detail/typed_handler.hpp>
#include <partyline/rpc/parameter_names.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/method_options.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline {

namespace detail {

/// Points at the object of a member function.
template <class T>
concept object_pointer = requires(const T& pointer) {
    *pointer;
    pointer == nullptr;
};

} // namespace detail

/// The methods that a session offers, by name. See rpc/detail/typed_handler.hpp for what can be a handler.
///
/// A handler object lives in the table and is called for every request, so its state is shared by all of them; under a
/// method option `executor`, by several threads. A session does not change a table; fill it before the session has it.
///
/// Errors: what is added must make sense, else `std::invalid_argument` is thrown at once and nothing is added: a name
/// that is taken, is empty or begins with "rpc." (JSON-RPC 2.0 §4 keeps those for itself), an empty function or a null
/// object, names of parameters that are not as many as the parameters or not different.
///
/// Thread safety: `find` and `names` from several threads at a time, as long as nothing is added.
class method_table final : public dispatcher {
public:
    method_table() noexcept;
    ~method_table() override;
    method_table(method_table&&) noexcept;
    method_table& operator=(method_table&&) noexcept;

    /// Adds a method. Its arguments come by position, or its one argument takes the params as a whole.
    template <class F>
    void add(std::string name, F function, method_options options = {})
    {
        bind(std::move(name), std::move(options), false, std::move(function));
    }

    /// Adds a method whose arguments come by position or by name: `add("sum", sum, {"a", "b"})`. A wrong number of names
    /// does not compile.
    template <class F, std::size_t Count>
    void add(std::string name, F function, const std::string_view (&names)[Count], method_options options = {})
    {
        bind(std::move(name), std::move(options), false, std::move(function), names);
    }

    /// The same for names that are found at run time.
    template <class F, std::same_as<parameter_names> Names>
    void add(std::string name, F function, const Names& names, method_options options = {})
    {
        bind(std::move(name), std::move(options), false, std::move(function), names);
    }

    /// Adds a method that is a member function: `add("sum", &counter::sum, &one, {"a", "b"})`. The object is pointed at,
    /// by a pointer of any kind, and lives as long as the table and the sessions that have it, or is kept by a
    /// `std::shared_ptr`.
    template <detail::member_function F, detail::object_pointer Pointer>
    void add(std::string name, F function, Pointer object, method_options options = {})
    {
        bind_member(std::move(name), std::move(options), false, function, std::move(object));
    }
    template <detail::member_function F, detail::object_pointer Pointer, std::size_t Count>
    void add(std::string name, F function, Pointer object, const std::string_view (&names)[Count],
             method_options options = {})
    {
        bind_member(std::move(name), std::move(options), false, function, std::move(object), names);
    }

    /// Adds a method for notifications only: a request for it is answered "Method not found".
    template <class F>
    void add_notification(std::string name, F function, method_options options = {})
    {
        bind(std::move(name), std::move(options), true, std::move(function));
    }
    template <class F, std::size_t Count>
    void add_notification(std::string name, F function, const std::string_view (&names)[Count],
                          method_options options = {})
    {
        bind(std::move(name), std::move(options), true, std::move(function), names);
    }
    template <class F, std::same_as<parameter_names> Names>
    void add_notification(std::string name, F function, const Names& names, method_options options = {})
    {
        bind(std::move(name), std::move(options), true, std::move(function), names);
    }
    template <detail::member_function F, detail::object_pointer Pointer>
    void add_notification(std::string name, F function, Pointer object, method_options options = {})
    {
        bind_member(std::move(name), std::move(options), true, function, std::move(object));
    }
    template <detail::member_function F, detail::object_pointer Pointer, std::size_t Count>
    void add_notification(std::string name, F function, Pointer object, const std::string_view (&names)[Count],
                          method_options options = {})
    {
        bind_member(std::move(name), std::move(options), true, function, std::move(object), names);
    }

    /// Sets what serves requests and notifications that nothing else serves; `request_context::method` tells their
    /// name. It can be set once.
    template <class F>
    void set_fallback(F function, method_options options = {})
    {
        insert_fallback({{}, std::move(options), make_target("fallback", std::move(function)), false});
    }

    /// The names of all methods and notifications, sorted; the fallback has none.
    std::vector<std::string> names() const;

    /// The method of that name, or else the fallback, or else null. Valid as long as the table, also when it is moved.
    const method* find(std::string_view name) const noexcept override;

private:
    template <class F, class... Names>
    void bind(std::string name, method_options options, bool is_notification, F function, const Names&... names)
    {
        auto target = make_target("method \"" + name + "\"", std::move(function), names...);
        insert({std::move(name), std::move(options), std::move(target), is_notification});
    }

    template <class F, class Pointer, class... Names>
    void bind_member(std::string name, method_options options, bool is_notification, F function, Pointer object,
                     const Names&... names)
    {
        if (object == nullptr)
            refuse("method \"" + name + "\"", "the object is null");
        bind(std::move(name), std::move(options), is_notification, std::bind_front(function, std::move(object)),
             names...);
    }

    template <class F, class... Names>
    static std::unique_ptr<handler> make_target(const std::string& what, F function, const Names&... names)
    {
        try {
            return detail::make_handler(std::move(function), names...);
        } catch (const std::invalid_argument& problem) {
            refuse(what, problem.what());
        }
    }

    [[noreturn]] static void refuse(std::string_view what, std::string_view problem);
    void insert(method added);
    void insert_fallback(method added);

    struct index;
    std::unique_ptr<index> index_; // null until something is added
};

} // namespace partyline
