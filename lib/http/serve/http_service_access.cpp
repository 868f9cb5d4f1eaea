// The answers of a server that authenticates, before it serves: refusals, and where clients get their tokens.

#include "http/access/authorization.hpp"
#include "http/access/cors.hpp"
#include "http/serve/http_service.hpp"
#include "session/use_grant.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <chrono>
#include <utility>

namespace json = boost::json;

namespace partyline::http {
namespace {

constexpr std::string_view metadata_methods = "GET, HEAD, OPTIONS";

void add_list(json::object& to, std::string_view name, const std::vector<std::string>& list)
{
    if (!list.empty()) // RFC 9728 §3.2
        to.emplace(name, json::array(list.begin(), list.end()));
}

response describe(const protected_resource& what)
{
    json::object told{{"resource", what.resource}};
    add_list(told, "authorization_servers", what.authorization_servers);
    add_list(told, "scopes_supported", what.scopes_supported);
    told.emplace("bearer_methods_supported", json::array{"header"});
    return {200, "application/json", json::serialize(told), "Cache-Control: max-age=300\r\n"};
}

// A proxy in front may serve the resource at a path that is none here.
bool is_metadata_of(const protected_resource& what, std::string_view path)
{
    return metadata_url(what.resource).ends_with(path);
}

} // namespace

std::optional<response> http_service::check_access(const request_head& head, const peer_identity& from,
                                                   request_facts& facts) const
{
    const shown_authorization shown = read_authorization(head);
    authentication found{authentication_outcome::malformed, {}};
    if (!shown.is_malformed)
        found = options_.access->authenticate(from, shown.value, std::chrono::system_clock::now());
    return take_grant(std::move(found), head, facts);
}

std::optional<response> http_service::renew_access(const request_head& head, request_facts& facts) const
{
    return take_grant(renew_same_peer(*options_.access, facts.grant, std::chrono::system_clock::now()), head, facts);
}

std::optional<response> http_service::take_grant(authentication found, const request_head& head,
                                                 request_facts& facts) const
{
    if (found.outcome == authentication_outcome::admitted && found.grant) {
        facts.grant = std::move(found.grant);
        return std::nullopt;
    }
    access_refusal why = refuse_authentication(found.outcome, options_.access->resource().get());
    response no = refuse(why.status, why.error);
    no.fields = std::move(why.fields);
    no.closes = head.find("upgrade").data(); // a proxy may take what comes behind it for frames, and let it pass
    return no;
}

// RFC 9728 §3. Clients read it before they have a token, and so do pages of all origins.
response http_service::check_metadata(const request_head& head, reach from, request_facts& facts) const
{
    if (const std::optional<std::string> why = hosts_.refuse_host(head.host, from))
        return refuse(403, error_codes::invalid_request, *why);
    facts.style.fields = "Access-Control-Allow-Origin: *\r\n";
    const std::string_view of = head.path.substr(metadata_path.size());
    const std::shared_ptr<const protected_resource> what = options_.access->resource();
    if (!what || (!of.empty() && !find(of) && !is_metadata_of(*what, head.path)))
        return refuse(404, error_codes::invalid_request, "nothing is served at this path");
    if (head.method == "OPTIONS")
        return {204, {}, {}, preflight_fields(head, metadata_methods)};
    if (head.method != "GET" && head.method != "HEAD")
        return not_allowed(metadata_methods);
    return describe(*what);
}

} // namespace partyline::http
