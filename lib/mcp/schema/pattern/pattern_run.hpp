#pragma once

#include "mcp/schema/pattern/pattern_program.hpp"
#include "mcp/schema/step_budget.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace partyline::mcp::detail {

/// The steps that a matcher is at, each once.
class step_set {
public:
    explicit step_set(std::size_t size) : places_(size) { members_.reserve(size); }

    /// False when it is in it already.
    bool add(std::uint32_t step);
    void clear() noexcept { members_.clear(); }
    const std::vector<std::uint32_t>& members() const noexcept { return members_; }

private:
    std::vector<std::uint32_t> members_;
    std::vector<std::uint32_t> places_; // of a step in `members_`, if it is there
};

/// Looks for a pattern in one text, at all places at a time.
class pattern_run {
public:
    pattern_run(const pattern_program& program, step_budget& budget);

    bool finds(std::string_view text);

private:
    void start_at(std::uint32_t step);
    void follow(std::uint32_t step);
    void advance(char32_t c);
    bool pay(std::size_t work);

    const pattern_program& program_;
    step_budget& budget_;
    step_set here_;
    step_set next_;
    std::vector<std::uint32_t> open_; // steps to go to before the next character
    std::size_t work_ = 0;
    bool is_at_begin_ = true;
    bool is_at_end_ = false;
    bool has_found_ = false;
};

} // namespace partyline::mcp::detail
