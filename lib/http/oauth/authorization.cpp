#include "http/oauth/authorization.hpp"

#include "http/oauth/form.hpp"
#include "http/oauth/login_failure.hpp"
#include "protocol/json/base64.hpp"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

namespace partyline::http {
namespace {

[[noreturn]] void throw_no_cryptography()
{
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                            "libcrypto does not work: nobody can log in");
}

std::string random_text()
{
    unsigned char bytes[32];
    if (RAND_bytes(bytes, sizeof bytes) != 1)
        throw_no_cryptography();
    std::string text = encode_base64url({reinterpret_cast<const char*>(bytes), sizeof bytes});
    OPENSSL_cleanse(bytes, sizeof bytes);
    return text;
}

bool is_state(const std::optional<std::string>& told, std::string_view own) noexcept
{
    return told && told->size() == own.size() && CRYPTO_memcmp(told->data(), own.data(), own.size()) == 0;
}

// RFC 9207 §2.4, and MCP 2026-07-28: it counts wherever it is there, and has to be there where that was announced.
std::string issuer_problem(const std::optional<std::string>& told, const issuer_metadata& at)
{
    if (!told)
        return at.sends_issuer ? "the answer to the login does not say which authorization server it is of (iss)" : "";
    if (*told != at.issuer)
        return "the answer to the login is of " + in_quotes(*told) + ", not of " + in_quotes(at.issuer);
    return {};
}

login_answer refuse_answer(std::string why)
{
    login_answer answer;
    answer.outcome = login_outcome::refused;
    answer.why = std::move(why);
    return answer;
}

login_answer read_code(const form_fields& fields)
{
    if (const std::optional<std::string> error = fields.find("error")) {
        const std::string description = fields.find("error_description").value_or("");
        login_answer refused = refuse_answer("the login was refused: " + in_quotes(*error) +
                                             (description.empty() ? "" : ": " + in_quotes(description)));
        refused.error = *error;
        return refused;
    }
    login_answer answer;
    answer.code = fields.find("code").value_or("");
    if (answer.code.empty())
        return refuse_answer("the answer to the login has neither a code nor an error");
    answer.outcome = login_outcome::code;
    return answer;
}

} // namespace

login_secrets make_login_secrets()
{
    login_secrets made;
    made.state = random_text();
    made.verifier = random_text();
    return made;
}

std::string challenge_of(std::string_view verifier)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (EVP_Digest(verifier.data(), verifier.size(), digest, &size, EVP_sha256(), nullptr) != 1)
        throw_no_cryptography();
    return encode_base64url({reinterpret_cast<const char*>(digest), size});
}

std::string login_page(const issuer_metadata& at, const login_wish& wish, const login_secrets& secrets)
{
    form_writer query;
    query.add("response_type", "code").add("client_id", wish.client_id).add("redirect_uri", wish.redirect_uri);
    query.add("code_challenge", challenge_of(secrets.verifier)).add("code_challenge_method", "S256");
    query.add("state", secrets.state).add("resource", wish.resource);
    if (!wish.scopes.empty())
        query.add("scope", wish.scopes.text());
    if (wish.scopes.has(offline_access))
        query.add("prompt", "consent"); // OpenID Connect Core §11: without it the scope is passed over
    const char* const divider = at.authorization_endpoint.find('?') == std::string::npos ? "?" : "&";
    return at.authorization_endpoint + divider + query.take();
}

login_answer read_login_answer(std::string_view target, const issuer_metadata& at, const login_secrets& secrets)
{
    const std::size_t path_end = std::min(target.find('?'), target.size());
    if (target.substr(0, path_end) != redirect_path)
        return {};
    const std::optional<form_fields> fields = form_fields::read(target.substr(std::min(path_end + 1, target.size())));
    if (!fields || !is_state(fields->find("state"), secrets.state))
        return {};
    if (std::string problem = issuer_problem(fields->find("iss"), at); !problem.empty())
        return refuse_answer(std::move(problem));
    return read_code(*fields);
}

} // namespace partyline::http
