#include "http/oauth/registration.hpp"

#include "http/oauth/json_document.hpp"
#include "http/oauth/login_failure.hpp"
#include "http/oauth/oauth_error.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace json = boost::json;

namespace partyline::http {
namespace {

// A program on a person's machine keeps no secret: it asks for none where the issuer lets it.
client_authentication wanted_authentication(const issuer_metadata& at)
{
    using enum client_authentication;
    const auto& taken = at.client_authentication;
    for (const client_authentication one : {none, basic, post}) {
        if (taken && std::find(taken->begin(), taken->end(), to_string(one)) != taken->end())
            return one;
    }
    return basic; // RFC 8414 §2, where it does not say
}

bool is_id(std::string_view text) noexcept
{
    constexpr std::size_t longest = 2048;
    return !text.empty() && text.size() <= longest;
}

} // namespace

registration_way choose_registration(const issuer_metadata& at, bool has_client_id, bool has_metadata_url)
{
    if (has_client_id)
        return registration_way::known;
    if (has_metadata_url && at.takes_metadata_documents)
        return registration_way::document;
    if (!at.registration_endpoint.empty())
        return registration_way::dynamic;
    refuse_login("the authorization server " + in_quotes(at.issuer) +
                 " registers no programs by itself: register this one there, and give it its client id");
}

std::string registration_request(const registration_details& of, const issuer_metadata& at)
{
    json::object body;
    body["client_name"] = of.name;
    body["application_type"] = "native";
    body["redirect_uris"] = json::array({of.redirect_uri});
    body["grant_types"] = json::array({"authorization_code", "refresh_token"});
    body["response_types"] = json::array({"code"});
    body["token_endpoint_auth_method"] = to_string(wanted_authentication(at));
    if (!of.scopes.empty())
        body["scope"] = of.scopes.text();
    return json::serialize(body);
}

client_identity read_registration(int status, std::string text, const registration_details& of,
                                  const issuer_metadata& at)
{
    const std::optional<json_document> document = json_document::read(std::move(text));
    const std::string id = document ? document->text("client_id") : std::string();
    if ((status != 200 && status != 201) || !is_id(id))
        refuse_login("the authorization server " + in_quotes(at.issuer) +
                     " does not register this program: " + words_of(read_oauth_error(status, document)));
    constexpr std::size_t longest_secret = 8192;
    if (document->text("client_secret").size() > longest_secret)
        refuse_login("the authorization server " + in_quotes(at.issuer) + " gives this program a secret of more than " +
                     std::to_string(longest_secret) + " bytes");
    client_identity made;
    made.issuer = at.issuer;
    made.id = id;
    made.secret = document->text("client_secret");
    const auto told = authentication_named(document->text("token_endpoint_auth_method"));
    made.method = choose_authentication(at, {.secret = !made.secret.empty()}, told);
    made.redirect_uri = of.redirect_uri;
    const std::int64_t until = document->seconds("client_secret_expires_at").value_or(0);
    if (until > 0) // RFC 7591 §3.2.1: 0 is never
        made.until = until;
    return made;
}

} // namespace partyline::http
