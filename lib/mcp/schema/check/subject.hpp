#pragma once

#include "mcp/schema/check/seen_parts.hpp"
#include "mcp/schema/mismatch.hpp"

#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::mcp::detail {

inline constexpr std::size_t max_mismatches = 10;

/// What was expected, and what came.
using told = std::pair<std::string, std::string>;

/// Where a part of a value stands. Lives on the stack of those who look at it.
class value_place {
public:
    value_place() noexcept = default;
    value_place(const value_place& outer, std::string_view name) noexcept : outer_(&outer), name_(name) {}
    value_place(const value_place& outer, std::size_t index) noexcept : outer_(&outer), index_(index), is_name_(false)
    {
    }

    /// A JSON pointer; of long names it has the beginnings.
    std::string pointer() const;

private:
    const value_place* outer_ = nullptr;
    std::string_view name_;
    std::size_t index_ = 0;
    bool is_name_ = true;
};

/// A value at its place, and who wants to know what about it.
struct subject {
    const boost::json::value& value;
    const value_place& place;
    seen_parts* seen = nullptr;                // wanted for an unevaluated... keyword
    std::vector<mismatch>* problems = nullptr; // wanted until there are `max_mismatches`

    /// Whether another problem is worth to be looked for.
    bool wants_problems() const noexcept { return problems && problems->size() < max_mismatches; }

    /// False. `words()` is what to tell.
    template <class Words>
    bool fails(const Words& words) const
    {
        return fails_at(place, words);
    }
    template <class Words>
    bool fails_at(const value_place& where, const Words& words) const
    {
        if (wants_problems()) {
            auto [expected, got] = words();
            problems->push_back({where.pointer(), std::move(expected), std::move(got)});
        }
        return false;
    }

    subject part(const boost::json::value& of, const value_place& at) const noexcept
    {
        return {of, at, nullptr, problems};
    }
    subject asked_by(seen_parts* other) const noexcept { return {value, place, other, problems}; }
    subject told_to(std::vector<mismatch>* others) const noexcept { return {value, place, seen, others}; }
    void mark(std::size_t position) const
    {
        if (seen)
            seen->add(position);
    }
};

} // namespace partyline::mcp::detail
