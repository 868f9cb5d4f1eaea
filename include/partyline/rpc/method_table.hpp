#pragma once

#include <partyline/rpc/detail/read_result.hpp>
#include <partyline/rpc/detail/typed_handler.hpp>
#include <partyline/rpc/parameter_names.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/method_options.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline {

/// The methods that a session offers, by name. See rpc/detail/typed_handler.hpp for what can be a handler.
///
/// A handler object lives in the table and is called for every request, so its state is shared by all of them; under a
/// method option `executor`, by several threads. A session does not change a table; fill it before the session has it.
///
/// Errors: what is added must make sense, else `std::invalid_argument` is thrown at once and nothing is added: a name
/// that is taken, is empty or begins with "rpc." (JSON-RPC 2.0 §4 keeps those for itself), an empty function, names of
/// parameters that are not as many as the parameters or not different.
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

    /// Adds a method whose arguments come by position or by name.
    template <class F>
    void add(std::string name, F function, const parameter_names& names, method_options options = {})
    {
        bind(std::move(name), std::move(options), false, std::move(function), names);
    }

    /// Adds a method for notifications only: a request for it is answered "Method not found".
    template <class F>
    void add_notification(std::string name, F function, method_options options = {})
    {
        bind(std::move(name), std::move(options), true, std::move(function));
    }

    template <class F>
    void add_notification(std::string name, F function, const parameter_names& names, method_options options = {})
    {
        bind(std::move(name), std::move(options), true, std::move(function), names);
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
