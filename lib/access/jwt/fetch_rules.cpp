#include "access/jwt/fetch_rules.hpp"

namespace partyline::access {
namespace {

using time_point = fetch_rules::time_point;

// Also where the clock was set back by as much. (By less, one thread may only have looked at it before another.)
bool has_passed(time_point since, time_point::duration span, time_point now) noexcept
{
    return now - since >= span || since - now >= span;
}

} // namespace

bool fetch_rules::is_due(time_point now) noexcept
{
    if (is_fetching_ && has_passed(began_, longest_fetch, now))
        fail();
    if (is_fetching_)
        return false;
    if (retry_)
        return has_passed(began_, *retry_ - began_, now);
    return !succeeded_ || has_passed(*succeeded_, lifetime, now);
}

bool fetch_rules::may_look(time_point now) noexcept
{
    return !is_behind() && (!looked_ || has_passed(*looked_, between_looks, now));
}

std::uint64_t fetch_rules::begin(time_point now) noexcept
{
    is_fetching_ = true;
    began_ = now;
    return ++number_;
}

bool fetch_rules::end(std::uint64_t number, bool has_succeeded) noexcept
{
    if (!is_fetching_ || number != number_)
        return false;
    if (!has_succeeded) {
        fail();
        return true;
    }
    is_fetching_ = false;
    succeeded_ = began_;
    retry_.reset();
    delays_.reset();
    return true;
}

void fetch_rules::fail() noexcept
{
    is_fetching_ = false;
    retry_ = began_ + std::chrono::duration_cast<time_point::duration>(delays_.next(0));
}

bool fetch_rules::are_usable(time_point now) const noexcept
{
    return succeeded_ && now - *succeeded_ < longest_lifetime;
}

} // namespace partyline::access
