#pragma once

#include <partyline/rpc/method_table.hpp>
#include <partyline/rpc/middleware.hpp>
#include <partyline/session/access_view.hpp>
#include <partyline/session/handler.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace partyline::mcp {

/// An extension's name is one of a `_meta` member with a prefix: labels of letters, digits and hyphens, with dots
/// between them, a slash, and a name. Throws `std::invalid_argument` for another one.
std::string checked_extension_name(std::string name);

class extension_methods;

/// Throws `std::invalid_argument` where two extensions have one name, or one method.
void require_different(std::string_view known, const extension_methods& its, std::string_view added,
                       const extension_methods& own);

/// The methods of an extension, with middleware around them. Members of params that they do not know are ignored, where
/// their options say nothing of that. They do not change.
class extension_methods {
public:
    /// Throws `std::invalid_argument` for a table that can't be an extension's: one with a method that the protocol has
    /// itself, a notification that is called as requests are or the other way round, a fallback, `rpc.discover`.
    extension_methods(std::string_view extension, method_table methods, request_middleware_list around = {});
    extension_methods(const extension_methods&) = delete;
    extension_methods& operator=(const extension_methods&) = delete;

    std::vector<std::string> names() const { return own_.names(); }
    /// Whether there are methods, and all of them are hidden from who may call what `by` says.
    bool are_hidden_from(const access_view& by) const noexcept;
    /// Null where there is no such method.
    const method* find(std::string_view name) const noexcept;

private:
    const method_table own_;
    const request_middleware_list around_;
    std::unordered_map<std::string_view, method> served_; // the same with that around them
};

} // namespace partyline::mcp
