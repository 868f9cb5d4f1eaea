#include "gateway/told_revision.hpp"

#include "gateway/member_text.hpp"

#include <string_view>

namespace mcp = partyline::mcp;

namespace gateway {
namespace {

constexpr std::string_view version_member = "io.modelcontextprotocol/protocolVersion";

// `text` is a string of JSON, or nothing.
std::optional<mcp::revision> find_quoted(std::string_view text)
{
    return text.size() < 2 ? std::nullopt : mcp::find_revision(text.substr(1, text.size() - 2));
}

} // namespace

std::optional<mcp::revision> revision_of(partyline::json_view params)
{
    if (params.text().find(version_member) == std::string_view::npos)
        return std::nullopt;
    return find_quoted(member_text(params.text(), {"_meta", version_member}));
}

std::optional<mcp::revision> greeted_revision(const partyline::json_text& result)
{
    return find_quoted(member_text(result, {"protocolVersion"}));
}

} // namespace gateway
