#include "mcp/wire/request_members.hpp"

#include "mcp/wire/refusals.hpp"
#include "protocol/json/for_each_member.hpp"

namespace partyline::mcp {
namespace {

json_view* place_of(request_members& in, std::string_view name) noexcept
{
    if (name == "name")
        return &in.name;
    if (name == "arguments")
        return &in.arguments;
    if (name == "_meta")
        return &in.meta;
    if (name == "uri")
        return &in.uri;
    if (name == "inputResponses")
        return &in.input_responses;
    if (name == "requestState")
        return &in.request_state;
    return nullptr;
}

} // namespace

request_members read_members(json_view params, std::string_view expected)
{
    request_members found;
    scanner scan;
    scan.expect(expected);
    std::string memory;
    for_each_member(scan, params.text(), memory, [&](const member_text& one) {
        if (json_view* const place = place_of(found, one.name))
            *place = json_view::checked(one.value);
    });
    return found;
}

json_view given_arguments(const request_members& of)
{
    const std::string_view text = of.arguments.text();
    if (text.empty() || text == "null")
        return json_view::checked("{}");
    if (!text.starts_with('{'))
        throw rpc_error(invalid_params("arguments", "object"));
    return of.arguments;
}

} // namespace partyline::mcp
