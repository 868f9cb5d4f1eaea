#include "transport/stream/read_hold.hpp"

#include <algorithm>

namespace partyline {
namespace {

constexpr std::chrono::milliseconds longest_hold(1);
constexpr std::chrono::milliseconds most_free_time(64);
constexpr std::size_t least_long = std::size_t(64) << 10; // what a pipe holds
constexpr std::size_t memory = 16; // a long message is forgotten over so many times its length of input

} // namespace

bool read_hold::may_read(std::size_t unsent, clock::time_point now) noexcept
{
    if (is_free_ || unsent <= bound() || now < free_until_)
        return true;
    if (!is_holding_) {
        is_holding_ = true;
        has_taken_ = false;
        deadline_ = now + longest_hold;
        return false;
    }
    if (now < deadline_)
        return false;
    if (!has_taken_)
        give_up(now);
    return true;
}

void read_hold::give_up(clock::time_point now) noexcept
{
    is_free_ = true;
    free_time_ = std::clamp<clock::duration>(2 * free_time_, longest_hold, most_free_time);
    free_until_ = now + free_time_;
}

void read_hold::on_read(std::size_t count) noexcept
{
    if (is_holding_ && has_taken_)
        free_time_ = {};
    is_holding_ = false;
    longest_ -= std::min(longest_, (count + memory - 1) / memory);
}

void read_hold::on_written() noexcept
{
    has_taken_ = true;
    is_free_ = false;
}

std::size_t read_hold::bound() const noexcept
{
    return longest_ < least_long ? 0 : 2 * longest_;
}

} // namespace partyline
