// Of what other servers say in a login, nothing is used that breaks the rules, whatever the text is; and what is
// refused is refused in words that fit on a line.

#include "fuzz/fuzz_input.hpp"
#include "http/oauth/authorization.hpp"
#include "http/oauth/discovery.hpp"
#include "http/oauth/form.hpp"
#include "http/oauth/login_failure.hpp"
#include "http/oauth/registration.hpp"
#include "http/oauth/token_request.hpp"
#include "http/oauth/token_store.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

using namespace partyline::http;
using partyline::test::fuzz_input;
using partyline::test::require;

namespace {

const url server = parse_url("https://mcp.example/v1/mcp");
constexpr char issuer_name[] = "https://as.example";
const login_secrets secrets = {"the-state", "the-verifier"};

issuer_metadata some_issuer(bool sends_issuer)
{
    issuer_metadata at;
    at.issuer = issuer_name;
    at.sends_issuer = sends_issuer;
    return at;
}

// All that a person is shown, or a request has in a field.
void require_printable(std::string_view text, const char* what)
{
    require(std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; }), what, text);
}

void require_https(const std::string& address)
{
    require_printable(address, "an address has the characters of a URI");
    require(address.empty() || address.starts_with("https://") || parse_url(address).scheme == url_scheme::https,
            "an endpoint of https", address);
}

void read_server(std::string_view text)
{
    const server_metadata read = read_server_metadata(std::string(text), server);
    require(parse_url(read.resource).host == "mcp.example", "the resource is the server's", read.resource);
    require(!read.issuers.empty() && read.issuers.size() <= 16, "some issuers");
    for (const std::string& address : issuer_metadata_addresses(read.issuers.front(), address_scope::public_only))
        require_https(address);
}

void read_issuer(std::string_view text)
{
    const issuer_metadata read =
        read_issuer_metadata(std::string(text), issuer_name, issuer_source::named, address_scope::public_only);
    require(read.issuer == issuer_name, "the issuer that was named", read.issuer);
    require(!read.token_endpoint.empty(), "a token endpoint");
    for (const std::string& address : {read.authorization_endpoint, read.token_endpoint, read.registration_endpoint})
        require_https(address);
}

void read_answer(std::string_view text, bool sends_issuer)
{
    const login_answer read = read_login_answer(text, some_issuer(sends_issuer), secrets);
    if (read.outcome != login_outcome::code) {
        require(read.code.empty(), "no code without its answer", text);
        return;
    }
    const form_fields fields = form_fields::read(text.substr(text.find('?') + 1)).value();
    require(fields.find("state") == "the-state", "the state", text);
    require(fields.find("iss").value_or(sends_issuer ? "" : issuer_name) == issuer_name, "the issuer", text);
    require(!fields.find("error") && fields.find("code") == read.code, "the code", text);
}

void read_tokens_of(std::string_view text, int status)
{
    const auto read = read_token_answer(status, std::string(text), some_issuer(false));
    if (const issued_tokens* const tokens = std::get_if<issued_tokens>(&read)) {
        require(!tokens->access.empty(), "a token");
        require_printable(tokens->access, "a token is one value of a field");
        require(!tokens->lifetime || tokens->lifetime->count() >= 0, "a lifetime");
    }
}

void read_client(std::string_view text, int status)
{
    registration_details of;
    of.redirect_uri = "http://127.0.0.1:1/callback";
    const client_identity read = read_registration(status, std::string(text), of, some_issuer(false));
    require(read.issuer == issuer_name && !read.id.empty(), "an identity of this issuer");
    require(to_text(read_identity(to_text(read), issuer_name).value()) == to_text(read), "an identity that is kept");
}

void read_kept(std::string_view text)
{
    if (const std::optional<held_tokens> read = read_tokens(std::string(text)))
        require(to_text(read_tokens(to_text(*read)).value()) == to_text(*read), "tokens that are kept");
}

void read_form(std::string_view text)
{
    const std::optional<form_fields> read = form_fields::read(form_writer().add(text, text).take());
    require(read && read->find(text) == std::string(text), "what is encoded is decoded to the same", text);
    const scope_set scopes = scope_set::read(text);
    require(scope_set::read(scopes.text()).text() == scopes.text(), "scopes that are read again", text);
    require(scopes.text().size() <= 4096, "a most of scopes");
}

void run(fuzz_input& input)
{
    const std::size_t reader = input.choose(7);
    const bool flag = input.choose(2) == 1;
    const std::string_view text = input.text();
    switch (reader) {
    case 0: return read_server(text);
    case 1: return read_issuer(text);
    case 2: return read_answer(text, flag);
    case 3: return read_tokens_of(text, flag ? 400 : 200);
    case 4: return read_client(text, flag ? 400 : 201);
    case 5: return read_kept(text);
    default: return read_form(text);
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    try {
        run(input);
    } catch (const login_refusal& refused) {
        const std::string_view why = refused.what();
        require(!why.empty() && why.size() < 2'000, "a short reason", why);
        require(std::none_of(why.begin(), why.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }),
                "on one line", why);
    }
    return 0;
}
