#include "gateway/kept_bytes.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>

namespace gateway {

kept_bytes::share::~share()
{
    if (of_)
        of_->give_back(client_, bytes_);
}

std::size_t kept_bytes::left_of(const attached_client* by) const
{
    const auto found = taken_.find(by);
    return found == taken_.end() ? most_of_one : most_of_one - found->second;
}

kept_bytes::share kept_bytes::take(const attached_client* by, std::size_t bytes)
{
    const std::size_t all = bytes + overhead;
    share taken;
    if (all > left_of(by) || (all_ && all > all_->left()))
        return taken;
    taken_[by] += all;
    if (all_)
        all_->add(all);
    taken.of_ = this;
    taken.client_ = by;
    taken.bytes_ = all;
    return taken;
}

void kept_bytes::give_back(const attached_client* by, std::size_t bytes) noexcept
{
    if (all_)
        all_->sub(bytes);
    const auto found = taken_.find(by);
    found->second -= bytes;
    if (found->second == 0)
        taken_.erase(found);
}

partyline::error_object kept_bytes::refusal(const attached_client* by, std::size_t bytes, std::string_view what) const
{
    const bool is_for_one = bytes + overhead > left_of(by);
    const std::size_t limit = is_for_one ? most_of_one : all_->limit();
    const std::size_t left = is_for_one ? left_of(by) : all_->left();
    return {partyline::error_codes::server_busy,
            std::string(what) + " takes " + std::to_string(bytes + overhead) + " bytes, and of " +
                (is_for_one ? "one client" : "all clients together") + " at most " + std::to_string(limit) +
                " are kept here, of which " + std::to_string(left) + " are left",
            boost::json::object{{"limit", limit}, {"value", bytes + overhead}}};
}

std::shared_ptr<partyline::memory_budget> part_for_kept(const std::shared_ptr<partyline::memory_budget>& all)
{
    return all ? std::make_shared<partyline::memory_budget>(all->limit() / 8, all) : nullptr;
}

} // namespace gateway
