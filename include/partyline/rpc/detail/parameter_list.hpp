#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/parameter_names.hpp>
#include <partyline/session/binding.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::detail {

/// The parameters of a handler as callers see them: their number, their names, and how many are required.
class PARTYLINE_EXPORT parameter_list {
public:
    /// Without names: by position only. The first `required` of `count` must be given.
    parameter_list(std::size_t count, std::size_t required) noexcept : count_(count), required_(required) {}

    /// With names: by position or by name. Throws `std::invalid_argument` when they are not `count` different names.
    parameter_list(std::size_t count, std::size_t required, const parameter_names& names);

    /// The members of a struct, whose names differ; `unknown` says what becomes of others.
    parameter_list(std::size_t required, array_view<const std::string_view> names,
                   std::optional<unknown_members> unknown);

    std::size_t count() const noexcept { return count_; }
    std::size_t required() const noexcept { return required_; }
    bool has_names() const noexcept { return has_names_; }
    std::string_view name(std::size_t index) const noexcept { return names_[index]; }
    /// Whether nothing in the names has to be escaped in JSON.
    bool are_plain() const noexcept { return are_plain_; }
    std::optional<unknown_members> unknown() const noexcept { return unknown_; }

    /// The index of the parameter called `name`; `count()` when there is none.
    std::size_t find(std::string_view name) const noexcept;

    /// "1 to 3 parameters"
    std::string expected_count() const;
    /// "a, b, c"
    std::string joined_names() const;

private:
    std::size_t count_;
    std::size_t required_;
    std::vector<std::string> names_;
    bool has_names_ = false;
    bool are_plain_ = false;
    std::optional<unknown_members> unknown_;
};

} // namespace partyline::detail
