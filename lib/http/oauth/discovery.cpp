#include "http/oauth/discovery.hpp"

#include "http/access/authorization.hpp"
#include "http/oauth/json_document.hpp"
#include "http/oauth/login_failure.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace partyline::http {
namespace {

constexpr std::size_t max_issuers = 16;

std::string_view path_of(const url& of)
{
    const std::string_view target = of.target;
    std::string_view path = target.substr(0, target.find('?'));
    if (path.ends_with('/'))
        path.remove_suffix(1);
    return path;
}

// A WebSocket is asked for over HTTP, and either way to write its address is taken.
url over_http(url to)
{
    if (to.scheme == url_scheme::ws)
        to.scheme = url_scheme::http;
    if (to.scheme == url_scheme::wss)
        to.scheme = url_scheme::https;
    return to;
}

bool is_resource_of(std::string_view resource, const url& server)
{
    try {
        const url read = over_http(parse_url(resource));
        const url own = over_http(server);
        const std::string_view path = path_of(read);
        const std::string_view rest = path_of(own).substr(std::min(path.size(), path_of(own).size()));
        const bool is_above = path_of(own).starts_with(path) && (rest.empty() || rest.starts_with('/'));
        const bool has_query = read.target.find('?') != read.target.npos;
        return read.origin() == own.origin() && (has_query ? read.target == own.target : is_above);
    } catch (const std::invalid_argument&) {
        return false;
    }
}

json_document document_of(std::string text, const std::string& what)
{
    std::optional<json_document> read = json_document::read(std::move(text));
    if (!read)
        refuse_login(what + " is no JSON object of the type application/json");
    return std::move(*read);
}

// Empty where the document has none.
std::string endpoint_in(const json_document& in, std::string_view name, address_scope scope)
{
    std::string text = in.text(name);
    if (!text.empty())
        read_login_address(text, "the " + std::string(name) + " of the authorization server", scope);
    return text;
}

bool is_the_issuer(std::string_view told, std::string_view expected, issuer_source source)
{
    if (source == issuer_source::origin && told.ends_with('/'))
        told.remove_suffix(1);
    return told == expected;
}

} // namespace

std::string resource_of(const url& server)
{
    return server.origin().append(path_of(server));
}

std::vector<std::string> server_metadata_addresses(const url& server, std::string_view named)
{
    if (!named.empty())
        return {std::string(named)};
    const url own = over_http(server);
    std::vector<std::string> all = {metadata_url(resource_of(own))};
    if (!path_of(own).empty())
        all.push_back(metadata_url(own.origin()));
    return all;
}

server_metadata read_server_metadata(std::string text, const url& server)
{
    const json_document document = document_of(std::move(text), "the metadata of the server");
    server_metadata read;
    read.resource = document.text("resource");
    if (!is_resource_of(read.resource, server))
        refuse_login("the metadata of the server is about another one: its resource is " + in_quotes(read.resource) +
                     ", the server is " + resource_of(server));
    read.issuers = document.texts("authorization_servers").value_or(std::vector<std::string>());
    if (read.issuers.empty())
        refuse_login("the metadata of the server names no authorization server");
    read.issuers.resize(std::min(read.issuers.size(), max_issuers));
    read.scopes_supported = scope_set(document.texts("scopes_supported").value_or(std::vector<std::string>()));
    return read;
}

server_metadata default_server_metadata(const url& server)
{
    server_metadata made;
    made.is_default = true;
    made.resource = resource_of(server);
    made.issuers.push_back(over_http(server).origin());
    return made;
}

std::vector<std::string> issuer_metadata_addresses(std::string_view issuer, address_scope scope)
{
    const url read = read_login_address(issuer, "the authorization server", scope);
    if (read.target.find('?') != read.target.npos)
        refuse_login("the authorization server is not used: " + in_quotes(issuer) + ": it has a query");
    const std::string origin = read.origin();
    const std::string path(path_of(read));
    std::vector<std::string> all = {origin + "/.well-known/oauth-authorization-server" + path,
                                    origin + "/.well-known/openid-configuration" + path};
    if (!path.empty())
        all.push_back(origin + path + "/.well-known/openid-configuration");
    return all;
}

issuer_metadata read_issuer_metadata(std::string text, const std::string& issuer, issuer_source source,
                                     address_scope scope)
{
    const json_document document = document_of(std::move(text), "the metadata of the authorization server");
    issuer_metadata read;
    read.issuer = document.text("issuer");
    if (!is_the_issuer(read.issuer, issuer, source))
        refuse_login("the metadata of the authorization server " + in_quotes(issuer) + " is about another one, " +
                     in_quotes(read.issuer));
    read.authorization_endpoint = endpoint_in(document, "authorization_endpoint", scope);
    read.token_endpoint = endpoint_in(document, "token_endpoint", scope);
    if (read.token_endpoint.empty())
        refuse_login("the authorization server " + in_quotes(issuer) + " names no token_endpoint");
    read.registration_endpoint = endpoint_in(document, "registration_endpoint", scope);
    read.scopes_supported = scope_set(document.texts("scopes_supported").value_or(std::vector<std::string>()));
    read.client_authentication = document.texts("token_endpoint_auth_methods_supported");
    const std::vector<std::string> none;
    read.signing_algorithms = document.texts("token_endpoint_auth_signing_alg_values_supported").value_or(none);
    const std::vector<std::string> methods = document.texts("code_challenge_methods_supported").value_or(none);
    read.has_s256 = std::find(methods.begin(), methods.end(), "S256") != methods.end();
    read.takes_metadata_documents = document.is_true("client_id_metadata_document_supported");
    read.sends_issuer = document.is_true("authorization_response_iss_parameter_supported");
    return read;
}

issuer_metadata default_issuer_metadata(const std::string& origin)
{
    issuer_metadata made;
    made.issuer = origin;
    made.authorization_endpoint = origin + "/authorize";
    made.token_endpoint = origin + "/token";
    made.registration_endpoint = origin + "/register";
    made.has_s256 = true; // which MCP 2025-03-26 requires
    return made;
}

void check_login(const issuer_metadata& issuer)
{
    if (issuer.authorization_endpoint.empty())
        refuse_login("the authorization server " + in_quotes(issuer.issuer) +
                     " has no authorization_endpoint: nobody can log in there");
    if (!issuer.has_s256)
        refuse_login("the authorization server " + in_quotes(issuer.issuer) +
                     " does not say that it supports PKCE with S256 (code_challenge_methods_supported): "
                     "a code that is stolen could be used");
}

} // namespace partyline::http
