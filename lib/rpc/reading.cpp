#include "rpc/reading.hpp"

#include <partyline/session/request_context.hpp>

namespace partyline::detail {

unknown_members reading::unknown() const noexcept
{
    return request_ ? request_->binding().unknown.value_or(unknown_members::refused) : policy_;
}

bool reading::is_own_member(std::string_view name) const noexcept
{
    return request_ && request_->is_own_member(name);
}

} // namespace partyline::detail
