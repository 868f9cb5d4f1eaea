#include "http/oauth/token_store.hpp"

#include "http/oauth/json_document.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <utility>

namespace json = boost::json;

namespace partyline::http {
namespace {

using std::chrono::duration_cast;
using std::chrono::seconds;

// What is empty is left out.
void put(json::object& to, std::string_view name, const std::string& value)
{
    if (!value.empty())
        to[name] = value;
}

} // namespace

std::string tokens_name(std::string_view server_resource)
{
    return std::string("tokens ").append(server_resource);
}

std::string to_text(const held_tokens& tokens)
{
    json::object members;
    put(members, "issuer", tokens.issuer);
    put(members, "client_id", tokens.client_id);
    put(members, "resource", tokens.resource);
    put(members, "resource_metadata", tokens.metadata);
    put(members, "access_token", tokens.access);
    put(members, "refresh_token", tokens.refresh);
    put(members, "asked", tokens.asked.text());
    put(members, "scope", tokens.granted.text());
    if (tokens.usable_until)
        members["usable_until"] = duration_cast<seconds>(tokens.usable_until->time_since_epoch()).count();
    if (tokens.count != 0)
        members["count"] = tokens.count;
    return json::serialize(members);
}

std::optional<held_tokens> read_tokens(std::string text)
{
    const std::optional<json_document> document = json_document::read(std::move(text));
    if (!document)
        return std::nullopt;
    held_tokens read;
    read.issuer = document->text("issuer");
    read.client_id = document->text("client_id");
    read.resource = document->text("resource");
    read.metadata = document->text("resource_metadata");
    read.access = document->text("access_token");
    read.refresh = document->text("refresh_token");
    read.asked = scope_set::read(document->text("asked"));
    read.granted = scope_set::read(document->text("scope"));
    constexpr std::int64_t latest = 9'000'000'000; // which a time_point of nanoseconds still has
    if (const std::int64_t until = document->seconds("usable_until").value_or(-1); until >= 0 && until < latest)
        read.usable_until = held_tokens::time_point(seconds(until));
    constexpr std::int64_t most = 1'000'000'000'000;
    read.count = std::clamp<std::int64_t>(document->seconds("count").value_or(0), 0, most);
    if (read.issuer.empty() || read.resource.empty())
        return std::nullopt;
    return read;
}

std::string identity_name(std::string_view issuer)
{
    return std::string("client ").append(issuer);
}

std::string to_text(const client_identity& identity)
{
    json::object members;
    put(members, "issuer", identity.issuer);
    put(members, "client_id", identity.id);
    put(members, "client_secret", identity.secret);
    put(members, "redirect_uri", identity.redirect_uri);
    members["token_endpoint_auth_method"] = to_string(identity.method);
    if (identity.until)
        members["client_secret_expires_at"] = *identity.until;
    if (identity.is_in_doubt)
        members["in_doubt"] = true;
    return json::serialize(members);
}

std::optional<client_identity> read_identity(std::string text, std::string_view issuer)
{
    const std::optional<json_document> document = json_document::read(std::move(text));
    if (!document)
        return std::nullopt;
    const auto method = authentication_named(document->text("token_endpoint_auth_method"));
    client_identity read;
    read.issuer = document->text("issuer");
    read.id = document->text("client_id");
    read.secret = document->text("client_secret");
    read.method = method.value_or(client_authentication::none);
    read.redirect_uri = document->text("redirect_uri");
    read.until = document->seconds("client_secret_expires_at");
    read.is_in_doubt = document->is_true("in_doubt");
    if (read.issuer != issuer || read.id.empty() || !method)
        return std::nullopt;
    return read;
}

} // namespace partyline::http
