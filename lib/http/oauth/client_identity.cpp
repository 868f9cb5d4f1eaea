#include "http/oauth/client_identity.hpp"

#include "http/oauth/login_failure.hpp"

#include <algorithm>
#include <initializer_list>

namespace partyline::http {
namespace {

using enum client_authentication;

// An issuer that does not say takes what is usual (RFC 8414 §2: client_secret_basic), or what was agreed.
bool is_taken(const issuer_metadata& at, client_authentication method)
{
    if (!at.client_authentication)
        return true;
    const auto& all = *at.client_authentication;
    return std::find(all.begin(), all.end(), to_string(method)) != all.end();
}

bool is_possible(client_authentication method, credentials_held held) noexcept
{
    switch (method) {
    case none: return true;
    case basic:
    case post: return held.secret;
    case key: return held.key;
    }
    return false;
}

} // namespace

std::string_view to_string(client_authentication method) noexcept
{
    switch (method) {
    case none: return "none";
    case basic: return "client_secret_basic";
    case post: return "client_secret_post";
    case key: return "private_key_jwt";
    }
    return {};
}

std::optional<client_authentication> authentication_named(std::string_view name) noexcept
{
    for (const client_authentication one : {none, basic, post, key}) {
        if (name == to_string(one))
            return one;
    }
    return std::nullopt;
}

bool is_unknown_client(std::string_view error) noexcept
{
    return error == "invalid_client" || error == "unauthorized_client";
}

client_authentication choose_authentication(const issuer_metadata& at, credentials_held held,
                                            std::optional<client_authentication> told)
{
    if (told && is_possible(*told, held))
        return *told;
    if (!held.secret && !held.key) // some issuers that take such clients do not list it
        return none;
    for (const client_authentication one : {key, basic, post, none}) {
        if (is_possible(one, held) && is_taken(at, one))
            return one;
    }
    refuse_login("the authorization server " + in_quotes(at.issuer) +
                 " takes no way to authenticate that this program has: " + (held.key ? "a key" : "") +
                 (held.key && held.secret ? ", " : "") + (held.secret ? "a secret" : ""));
}

} // namespace partyline::http
