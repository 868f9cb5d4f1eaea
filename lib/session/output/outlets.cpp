#include "session/output/outlets.hpp"

#include <algorithm>
#include <iterator>

namespace partyline {
namespace {

outbox::marks marks_of(const limits& bounds) noexcept
{
    return {bounds.outbox_soft_bytes, bounds.outbox_hard_bytes};
}

// Of one among several: a slow one leaves room for the others.
outbox::marks part_of(const limits& bounds) noexcept
{
    constexpr std::size_t parts = 4;
    return {bounds.outbox_soft_bytes / parts, bounds.outbox_hard_bytes / parts};
}

} // namespace

outlets::outlets(session_context& context, message_bracket& stream, const message_tap& tap)
    : context_(context), tap_(tap),
      stream_(*this, 0, context, stream, marks_of(context.options.bounds), context.options.budget.get(), tap, nullptr)
{
}

outlet& outlets::open(message_bracket& frames, outlet::user& told)
{
    const limits& bounds = context_.options.bounds;
    if (!budget_)
        budget_ = std::make_unique<memory_budget>(bounds.outbox_hard_bytes, context_.options.budget);
    others_.emplace_back(*this, ++last_number_, context_, frames, part_of(bounds), budget_.get(), tap_, &told);
    others_.back().self_ = std::prev(others_.end());
    return others_.back();
}

void outlets::release(outlet& unused) noexcept
{
    unused.close(false);
    unused.release_memory();
    unused.drop_all();
    unused.is_released_ = true;
}

outlet* outlets::take_busy() noexcept
{
    while (!busy_.empty()) {
        outlet& next = busy_.front();
        busy_.pop_front();
        if (!next.is_released_ || !next.is_idle())
            return &next;
        ended_.splice(ended_.end(), others_, next.self_);
    }
    return nullptr;
}

bool outlets::is_behind() const noexcept
{
    const auto is_above = [](const outlet& one) { return one.is_above_soft(); };
    return is_above(stream_) || std::any_of(others_.begin(), others_.end(), is_above);
}

void outlets::forget_sources() noexcept
{
    for_each([](outlet& one) { one.forget_sources(); });
}

} // namespace partyline
