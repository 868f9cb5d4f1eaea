#include "http/serve/spare_memory.hpp"

#include <algorithm>
#include <utility>

namespace partyline::http {
namespace {

constexpr std::size_t parts = 8; // one of which may be spare

} // namespace

void spare_memory::set(entry& one, std::size_t bytes, bool is_complete, clock::time_point now) noexcept
{
    if (bytes == 0 || is_complete != one.is_complete_)
        leave(one);
    if (bytes == 0)
        return;
    if (!one.is_linked()) {
        one.is_complete_ = is_complete;
        one.since_ = now;
        list_of(one).push_back(one);
    }
    bytes_ += bytes - one.bytes_;
    one.bytes_ = bytes;
    trim();
}

void spare_memory::leave(entry& one) noexcept
{
    if (!one.is_linked())
        return;
    list_of(one).erase(list::s_iterator_to(one));
    bytes_ -= std::exchange(one.bytes_, 0);
}

void spare_memory::forget(entry& one) noexcept
{
    leave(one);
    one.forget();
}

void spare_memory::forget_older(clock::duration age, clock::time_point now) noexcept
{
    while (!complete_.empty() && now - complete_.front().since_ >= age)
        forget(complete_.front());
}

// What is forgotten may say so by `keep()`: not one within the other, since there may be very many.
void spare_memory::fit() noexcept
{
    if (std::exchange(is_fitting_, true))
        return;
    const std::size_t most = std::min(whole_->limit() / parts, whole_->left());
    while (bytes_ > most)
        forget((complete_.empty() ? open_ : complete_).front());
    is_fitting_ = false;
}

} // namespace partyline::http
