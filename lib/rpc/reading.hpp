#pragma once

#include <partyline/session/binding.hpp>

#include <string_view>

namespace partyline {
class request_context;
}

namespace partyline::detail {

class problem_list;

/// What all places of one reading have in common: whose params are read, and what becomes of problems.
class reading {
public:
    /// Of the params of a request, whose policy is asked when it matters. Problems are noted in `problems`; null:
    /// nobody wants to know them, and the first one ends it all.
    explicit reading(const request_context& of, problem_list* problems = nullptr) noexcept
        : request_(&of), problems_(problems)
    {
    }
    /// Of something else.
    explicit reading(unknown_members policy, problem_list* problems = nullptr) noexcept
        : problems_(problems), policy_(policy)
    {
    }
    reading(const reading&) = delete;
    reading& operator=(const reading&) = delete;

    problem_list* problems() const noexcept { return problems_; }

    /// What becomes of members that nobody knows, where their type does not say.
    unknown_members unknown() const noexcept;

    /// Whether a member of the params as a whole is the session's own.
    bool is_own_member(std::string_view name) const noexcept;

private:
    const request_context* request_ = nullptr;
    problem_list* problems_ = nullptr;
    unknown_members policy_ = unknown_members::refused;
};

} // namespace partyline::detail
