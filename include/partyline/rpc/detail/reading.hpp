#pragma once

#include <partyline/config.hpp>
#include <partyline/session/binding.hpp>

#include <string_view>

namespace partyline {
class request_context;
}

namespace partyline::detail {

class problem_list;

/// So many alternatives of variants may fail while one message is read: types that contain themselves would take
/// exponential time else, and each failure is an exception. What can be seen at once not to fit does not count.
inline constexpr unsigned max_failed_attempts = 2000;

/// What all places of one reading have in common: whose params are read, and what becomes of problems.
class PARTYLINE_EXPORT reading {
public:
    /// Of the params of a request, whose policy is asked when it matters.
    explicit reading(const request_context& of) noexcept : request_(&of) {}
    /// Of something else.
    explicit reading(unknown_members policy) noexcept : policy_(policy) {}
    reading(const reading&) = delete;
    reading& operator=(const reading&) = delete;

    /// From now on who reads several values goes on with the next when there is a problem with one.
    void collect(problem_list& into) noexcept
    {
        problems_ = &into;
        attempts_left_ = max_failed_attempts;
    }
    /// Null: the first problem ends it all.
    problem_list* problems() const noexcept { return problems_; }

    /// What becomes of members that nobody knows, where their type does not say.
    unknown_members unknown() const noexcept;

    /// Whether a member of the params as a whole is the session's own.
    bool is_own_member(std::string_view name) const noexcept;

    /// Notes that an alternative of a variant has failed. False when no other one is to be tried.
    bool note_failed_attempt() noexcept { return attempts_left_ != 0 && --attempts_left_ != 0; }

private:
    const request_context* request_ = nullptr;
    problem_list* problems_ = nullptr;
    unsigned attempts_left_ = max_failed_attempts;
    unknown_members policy_ = unknown_members::refused;
};

} // namespace partyline::detail
