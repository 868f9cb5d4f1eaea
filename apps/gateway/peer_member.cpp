#include "gateway/peer_member.hpp"

#include "gateway/member_text.hpp"
#include "gateway/message_parts.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <string>
#include <utility>

namespace json = boost::json;
using partyline::json_text;
using partyline::json_view;
using partyline::rpc_error;

namespace gateway {
namespace {

constexpr std::string_view meta_member = "_meta";

// Quick, and right where it says no: a name may be spelled with escapes, too, of which only these two can spell its
// characters.
bool may_have_peer_member(std::string_view text) noexcept
{
    constexpr std::size_t before = peer_member.find('/');
    for (std::size_t at = text.find('/'); at != text.npos; at = text.find('/', at + 1))
        if (at >= before && may_be_read_as(text.substr(at - before, peer_member.size()), peer_member))
            return true;
    return text.find("\\u") != text.npos || text.find("\\/") != text.npos;
}

std::string member_of(const partyline::peer_identity& peer)
{
    const json::object who{{"principal", peer.principal},
                           {"source", peer.source},
                           {"scopes", json::array(peer.scopes.begin(), peer.scopes.end())}};
    return '"' + std::string(peer_member) + "\":" + json::serialize(who);
}

} // namespace

bool has_peer_member(json_view params)
{
    if (!params.text().starts_with('{') || !may_have_peer_member(params.text()))
        return false;
    bool is_there = false;
    for_each_member(params.text(), [&](const partyline::member_text& one) {
        if (!may_be_read_as(one.name, meta_member))
            return;
        for_each_member(one.value, [&](const partyline::member_text& inner) {
            is_there = is_there || may_be_read_as(inner.name, peer_member);
        });
    });
    return is_there;
}

partyline::error_object peer_member_refusal()
{
    return invalid_params("_meta.partyline/peer", "nothing: it is not for clients to say who they are");
}

json_text with_peer(const json_text& params, const partyline::peer_identity& peer)
{
    const std::string member = member_of(peer);
    const std::string meta = '"' + std::string(meta_member) + "\":{" + member + '}';
    if (params.empty() || params.text() == "null")
        return json_text('{' + meta + '}');
    if (!params.text().starts_with('{'))
        throw rpc_error(invalid_params("params", "object: the server is told who has sent them"));
    const std::string_view there = only_member(json_view::checked(params.text()), meta_member).text();
    if (there.empty())
        return json_text(with_member(params.text(), meta));
    if (!there.starts_with('{'))
        throw rpc_error(invalid_params(meta_member, "object"));
    std::string text = params.text();
    text.replace(static_cast<std::size_t>(there.data() - params.text().data()), there.size(),
                 with_member(there, member));
    return json_text(std::move(text));
}

} // namespace gateway
