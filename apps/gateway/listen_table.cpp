#include "gateway/listen_table.hpp"

#include <utility>

namespace gateway {

void listen_table::expect(subscription next, partyline::async_mutex::lock alone)
{
    next_.emplace(unsent{std::move(next), std::move(alone)});
}

void listen_table::note_sent(std::string_view server_id)
{
    if (!next_)
        return;
    sent_.insert_or_assign(std::string(server_id), std::move(next_->what));
    next_.reset();
}

const subscription* listen_table::find(std::string_view server_id) const
{
    const auto found = sent_.find(server_id);
    return found == sent_.end() ? nullptr : &found->second;
}

void listen_table::forget(const attached_client& by, std::uint64_t number) noexcept
{
    const auto is_it = [&](const subscription& one) { return one.by == &by && one.number == number; };
    if (next_ && is_it(next_->what))
        next_.reset();
    std::erase_if(sent_, [&](const auto& each) { return is_it(each.second); });
}

} // namespace gateway
