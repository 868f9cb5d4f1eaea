#include "http/oauth/token_request.hpp"

#include "http/oauth/authorization.hpp"
#include "http/oauth/json_document.hpp"
#include "http/oauth/login_failure.hpp"
#include "http/wire/characters.hpp"
#include "protocol/json/base64.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <utility>

namespace json = boost::json;

namespace partyline::http {
namespace {

constexpr std::chrono::seconds assertion_lifetime{120};

// RFC 7523 §3. The audience is the issuer: an assertion for a token endpoint could be meant for another issuer.
std::string assertion_of(const client_identity& who, const issuer_metadata& at, const signing_client_key& by,
                         std::chrono::system_clock::time_point now)
{
    const std::string_view algorithm = by.key.algorithm(at.signing_algorithms);
    if (algorithm.empty())
        refuse_login("the authorization server " + in_quotes(at.issuer) + " takes no signature of the client key");
    const auto issued = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch());
    json::object header = {{"alg", algorithm}, {"typ", "JWT"}};
    if (!by.id.empty())
        header["kid"] = by.id;
    json::object claims;
    claims["iss"] = who.id;
    claims["sub"] = who.id;
    claims["aud"] = at.issuer;
    claims["iat"] = issued.count();
    claims["exp"] = (issued + assertion_lifetime).count();
    claims["jti"] = make_login_secrets().state;
    return by.key.sign(algorithm, json::serialize(header), json::serialize(claims));
}

// Of the characters that requests are sent with (RFC 6750 §2.1, b64token): what else is kept would fail each of them.
bool is_token(std::string_view text) noexcept
{
    constexpr std::size_t longest = 32 << 10;
    return !text.empty() && text.size() <= longest && std::all_of(text.begin(), text.end(), [](char c) {
        return is_in(c, is_name_char) || c == '+' || c == '/' || c == '=';
    });
}

std::chrono::seconds lifetime_of(std::int64_t told)
{
    constexpr std::int64_t longest = 10LL * 365 * 24 * 3600;
    return std::chrono::seconds(std::clamp<std::int64_t>(told, 0, longest));
}

} // namespace

form_writer code_request(std::string_view code, std::string_view verifier, std::string_view redirect_uri,
                         std::string_view resource)
{
    form_writer form;
    form.add("grant_type", "authorization_code").add("code", code).add("code_verifier", verifier);
    form.add("redirect_uri", redirect_uri).add("resource", resource);
    return form;
}

form_writer refresh_request(std::string_view refresh_token, const scope_set& granted, std::string_view resource)
{
    form_writer form;
    form.add("grant_type", "refresh_token").add("refresh_token", refresh_token).add("resource", resource);
    if (!granted.empty())
        form.add("scope", granted.text());
    return form;
}

form_writer credentials_request(const scope_set& scopes, std::string_view resource)
{
    form_writer form;
    form.add("grant_type", "client_credentials").add("resource", resource);
    if (!scopes.empty())
        form.add("scope", scopes.text());
    return form;
}

void authenticate(form_writer& form, std::vector<field_text>& fields, const client_identity& who,
                  const issuer_metadata& at, const signing_client_key* key, std::chrono::system_clock::time_point now)
{
    switch (who.method) {
    case client_authentication::basic: // RFC 6749 §2.3.1: both are encoded before they are joined
        fields.push_back(
            {"Authorization", "Basic " + encode_base64(form_encoded(who.id) + ':' + form_encoded(who.secret))});
        return;
    case client_authentication::post: form.add("client_id", who.id).add("client_secret", who.secret); return;
    case client_authentication::key:
        form.add("client_id", who.id);
        form.add("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        form.add("client_assertion", assertion_of(who, at, *key, now));
        return;
    case client_authentication::none: form.add("client_id", who.id); return;
    }
}

std::variant<issued_tokens, oauth_error> read_token_answer(int status, std::string text, const issuer_metadata& at)
{
    const std::optional<json_document> document = json_document::read(std::move(text));
    oauth_error error = read_oauth_error(status, document);
    if (!error.code.empty()) // of any status: some servers refuse by 200
        return error;
    const std::string issuer = "the authorization server " + in_quotes(at.issuer);
    if (status != 200)
        return error;
    if (!document || !is_token(document->text("access_token")))
        refuse_login(issuer + " has answered with no access_token that can be used");
    if (const std::string type = document->text("token_type"); lower_case(type) != "bearer")
        refuse_login(issuer + " issues tokens of the type " + in_quotes(type) + ", of which Bearer alone is used here");
    issued_tokens made;
    made.access = document->text("access_token");
    made.refresh = document->text("refresh_token");
    if (const std::string scopes = document->text("scope"); !scopes.empty())
        made.scopes = scope_set::read(scopes);
    if (const std::optional<std::int64_t> seconds = document->seconds("expires_in"))
        made.lifetime = lifetime_of(*seconds);
    return made;
}

} // namespace partyline::http
