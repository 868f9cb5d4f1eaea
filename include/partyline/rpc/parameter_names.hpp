#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline {

/// The names of a handler's parameters in their order, so that a request may give them by name: `{"a", "b"}`.
class parameter_names {
public:
    /// Names that are known at compile time: `{"a", "b"}`.
    parameter_names(std::initializer_list<std::string_view> names) : names_(names.begin(), names.end()) {}
    /// Names that are known at run time alone, and are checked when a method is added.
    explicit parameter_names(std::vector<std::string> names) : names_(std::move(names)) {}

    /// The names, in the order of the parameters.
    const std::vector<std::string>& names() const noexcept { return names_; }

private:
    std::vector<std::string> names_;
};

namespace detail {

/// The count for a function whose number of parameters is unknown.
inline constexpr std::size_t any_count = std::size_t(-1);

/// The names of so many parameters: a list of another length does not compile. Names that are only known at run time
/// come as `parameter_names`.
template <std::size_t Count>
class names_for {
public:
    template <std::convertible_to<std::string_view>... Text>
        requires(sizeof...(Text) != 0)
    names_for(const Text&... names) : names_({std::string_view(names)...})
    {
        static_assert(Count == any_count || sizeof...(Text) == Count,
                      "a handler has as many names as parameters, request_context& not counted");
    }
    names_for(parameter_names names) : names_(std::move(names)) {}

    const parameter_names& get() const noexcept { return names_; }

private:
    parameter_names names_;
};

} // namespace detail

} // namespace partyline
