#include "async/back_off.hpp"

#include "protocol/json/random_seed.hpp"

#include <algorithm>
#include <limits>

namespace partyline {
namespace {

using duration = back_off::duration;

// Returns `least` also for NaN.
double within(double value, double least, double most) noexcept
{
    return value > least ? std::min(value, most) : least;
}

// At most `most`, also where the product would overflow.
duration times(duration one, double factor, duration most) noexcept
{
    const double count = static_cast<double>(one.count()) * factor;
    return count < static_cast<double>(most.count()) ? duration(static_cast<duration::rep>(count)) : most;
}

back_off::rule sensible(back_off::rule by) noexcept
{
    const duration none = duration::zero();
    by.longest = std::max(by.longest, none);
    by.first = std::clamp(by.first, none, by.longest);
    by.factor = within(by.factor, 1, std::numeric_limits<double>::max());
    by.jitter = within(by.jitter, 0, 1);
    return by;
}

} // namespace

double random_part()
{
    return static_cast<double>(random_seed() >> 11) * 0x1p-53;
}

back_off::back_off(const rule& by) noexcept : by_(sensible(by)) {}

duration back_off::next(double random) noexcept
{
    const duration delay = last_ ? times(*last_, by_.factor, by_.longest) : by_.first;
    last_ = delay;
    return times(delay, 1 - by_.jitter * within(random, 0, 1), delay);
}

} // namespace partyline
