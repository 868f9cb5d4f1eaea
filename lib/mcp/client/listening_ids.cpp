// Which subscription an acknowledgment or a notification belongs to.
#include "mcp/client/listening.hpp"

#include <algorithm>

namespace json = boost::json;

namespace partyline::mcp {

void listening::on_acknowledged(const json::object& meta, const json::object& honoured)
{
    const std::optional<std::uint64_t> id = subscription_of(meta);
    if (id && (*id == 0 || is_of_ours(*id)))
        return;
    if (acknowledge(id, honoured) && id)
        last_id_ = std::max(last_id_, *id);
}

bool listening::acknowledge(std::optional<std::uint64_t> id, const json::object& honoured)
{
    if (opening_ && opening_->acknowledge(id, honoured))
        return true;
    return id && std::any_of(kept_.begin(), kept_.end(),
                             [&](const auto& one) { return one.second->acknowledge(id, honoured); });
}

bool listening::is_of_ours(std::uint64_t id) const
{
    const auto has_id = [&](const auto& one) { return one.second->id() == id; };
    return (opening_ && opening_->id() == id) || std::any_of(kept_.begin(), kept_.end(), has_id);
}

bool listening::is_open(const json::object& meta) const
{
    const std::optional<std::uint64_t> id = subscription_of(meta);
    return !id || is_of_ours(*id);
}

bool listening::may_be_open(std::uint64_t id) const
{
    const bool is_opening = opening_ && !opening_->is_acknowledged() && !opening_->end;
    return is_of_ours(id) || (is_opening && id > last_id_);
}

} // namespace partyline::mcp
