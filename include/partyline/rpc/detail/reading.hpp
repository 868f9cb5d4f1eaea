#pragma once

#include <partyline/session/binding.hpp>

namespace partyline {
class request_context;
}

namespace partyline::detail {

class problem_list;

/// What all places of one reading have in common: whose params are read, and what becomes of problems.
class reading {
public:
    /// Of the params of a request, whose policy is asked when it matters.
    explicit reading(const request_context& of) noexcept : request_(&of) {}
    /// Of something else.
    explicit reading(unknown_members policy) noexcept : policy_(policy) {}

    /// The same without a list of problems, for one who tries whether something can be read.
    reading alone() const noexcept
    {
        reading other = *this;
        other.problems_ = nullptr;
        return other;
    }

    /// From now on who reads several values goes on with the next when there is a problem with one.
    void collect(problem_list& into) noexcept { problems_ = &into; }
    /// Null: the first problem ends it all.
    problem_list* problems() const noexcept { return problems_; }

    /// What becomes of members that nobody knows, where their type does not say.
    unknown_members unknown() const noexcept;

private:
    const request_context* request_ = nullptr;
    unknown_members policy_ = unknown_members::refused;
    problem_list* problems_ = nullptr;
};

} // namespace partyline::detail
