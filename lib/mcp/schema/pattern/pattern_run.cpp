#include "mcp/schema/pattern/pattern_run.hpp"

#include <utility>

namespace partyline::mcp::detail {
namespace {

constexpr std::size_t work_of_a_step = 32; // so many of these cost what one schema at one value does

} // namespace

bool step_set::add(std::uint32_t step)
{
    const std::uint32_t place = places_[step];
    if (place < members_.size() && members_[place] == step)
        return false;
    places_[step] = static_cast<std::uint32_t>(members_.size());
    members_.push_back(step);
    return true;
}

pattern_run::pattern_run(const pattern_program& program, step_budget& budget)
    : program_(program), budget_(budget), here_(program.steps.size()), next_(program.steps.size())
{
}

bool pattern_run::finds(std::string_view text)
{
    is_at_end_ = text.empty();
    if (!pay(work_of_a_step + program_.steps.size()))
        return false;
    start_at(0);
    while (!has_found_ && !is_at_end_ && pay(1 + here_.members().size())) {
        const char32_t c = take_code_point(text);
        is_at_begin_ = false;
        is_at_end_ = text.empty();
        advance(c);
        start_at(0);
    }
    return has_found_;
}

// The steps of `here_` that look at a character are those that count; the others are there so as not to be taken twice.
void pattern_run::start_at(std::uint32_t step)
{
    open_.push_back(step);
    while (!open_.empty()) {
        const std::uint32_t next = open_.back();
        open_.pop_back();
        if (here_.add(next))
            follow(next);
    }
}

void pattern_run::follow(std::uint32_t step)
{
    const pattern_step& at = program_.steps[step];
    switch (at.what) {
    case pattern_step::kind::character: break;
    case pattern_step::kind::found: has_found_ = true; break;
    case pattern_step::kind::jump: open_.push_back(at.operand); break;
    case pattern_step::kind::split:
        open_.push_back(at.operand);
        open_.push_back(step + 1);
        break;
    case pattern_step::kind::begin:
        if (is_at_begin_)
            open_.push_back(step + 1);
        break;
    case pattern_step::kind::end:
        if (is_at_end_)
            open_.push_back(step + 1);
        break;
    }
}

void pattern_run::advance(char32_t c)
{
    std::swap(here_, next_);
    here_.clear();
    for (const std::uint32_t step : next_.members()) {
        const pattern_step& at = program_.steps[step];
        if (at.what == pattern_step::kind::character && program_.sets[at.operand].contains(c))
            start_at(step + 1);
    }
}

bool pattern_run::pay(std::size_t work)
{
    work_ += work;
    const bool can_pay = budget_.take(work_ / work_of_a_step);
    work_ %= work_of_a_step;
    return can_pay;
}

} // namespace partyline::mcp::detail
