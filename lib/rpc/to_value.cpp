#include <partyline/rpc/detail/to_value.hpp>

namespace partyline::detail {

boost::json::object write_members(const void* from, std::span<const member_value> members)
{
    boost::json::object object;
    object.reserve(members.size());
    for (const member_value& member : members)
        member.append(object, from);
    return object;
}

} // namespace partyline::detail
