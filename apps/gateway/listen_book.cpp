#include "gateway/listen_book.hpp"

#include <utility>

namespace gateway {

void listen_book::note_sent(std::string_view server_id)
{
    if (unsent_.empty())
        return;
    sent_.insert_or_assign(std::string(server_id), std::move(unsent_.front()));
    unsent_.pop_front();
}

const subscription* listen_book::find(std::string_view server_id) const
{
    const auto found = sent_.find(server_id);
    return found == sent_.end() ? nullptr : &found->second;
}

void listen_book::forget(const relay& by, std::uint64_t number) noexcept
{
    const auto is_it = [&](const subscription& one) { return one.by == &by && one.number == number; };
    std::erase_if(unsent_, is_it);
    std::erase_if(sent_, [&](const auto& each) { return is_it(each.second); });
}

void listen_book::forget(const relay& gone) noexcept
{
    const auto is_its = [&](const subscription& one) { return one.by == &gone; };
    std::erase_if(unsent_, is_its);
    std::erase_if(sent_, [&](const auto& each) { return is_its(each.second); });
}

} // namespace gateway
