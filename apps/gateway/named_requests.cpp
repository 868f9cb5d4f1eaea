#include "gateway/named_requests.hpp"

#include <utility>

namespace gateway {

void named_requests::expect(named_request next, partyline::async_mutex::lock alone)
{
    next_.emplace(unsent{std::move(next), std::move(alone)});
}

void named_requests::note_sent(std::string_view server_id)
{
    if (!next_)
        return;
    const auto [place, is_new] = sent_.try_emplace(std::string(server_id));
    if (!is_new) // a server has started again, and counts from the beginning
        of_clients_.erase({place->second.by, place->second.number});
    place->second = std::move(next_->what);
    of_clients_.insert_or_assign({place->second.by, place->second.number}, place);
    next_.reset();
}

const named_request* named_requests::find(std::string_view server_id) const
{
    const auto found = sent_.find(server_id);
    return found == sent_.end() ? nullptr : &found->second;
}

void named_requests::forget(const attached_client& by, std::uint64_t number) noexcept
{
    if (next_ && next_->what.by == &by && next_->what.number == number)
        next_.reset();
    const auto found = of_clients_.find({&by, number});
    if (found == of_clients_.end())
        return;
    sent_.erase(found->second);
    of_clients_.erase(found);
}

} // namespace gateway
