#include <partyline/rpc/detail/to_value.hpp>

#include <partyline/rpc/detail/handler_result.hpp>

namespace partyline::detail {

boost::json::object write_members(const void* from, array_view<const member_value> members, empty_optionals empty)
{
    boost::json::object object;
    object.reserve(members.size());
    for (const member_value& member : members)
        member.append(object, from, empty);
    return object;
}

empty_optionals empty_policy(const request_context& context)
{
    return context.binding().empty.value_or(empty_optionals::left_out);
}

} // namespace partyline::detail
