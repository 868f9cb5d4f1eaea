#include "access_files.hpp"

#include "support/jwt_signer.hpp"

#include <chrono>
#include <fstream>

namespace bench {
namespace {

// As an authorization server writes them (RFC 9068); valid for longer than anything is measured.
std::string claims()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto end = std::chrono::duration_cast<std::chrono::seconds>(now + std::chrono::hours(24)).count();
    return R"({"iss":"https://as.example.org","sub":"carol","aud":"https://rpc.example.org","client_id":"agent-7",)"
           R"("scope":"files:read files:write mcp:tools","jti":"7f1c2b9e-54a1-4d1e-9a77-1a3c2f","exp":)" +
           std::to_string(end) + "}";
}

} // namespace

access_files::access_files()
{
    const partyline::test::jwt_signer issuer("RS256");
    jwt_ = issuer.token(claims());
    std::ofstream(files_.in("keys.json")) << partyline::test::jwks({issuer.jwk()});
    files_.write(R"({"issuers":[{"issuer":"https://as.example.org","audiences":["https://rpc.example.org"],)"
                 R"("jwks_file":"keys.json"}],"tokens":[)" +
                 files_.entry(files_.alice, "alice") + "," + files_.entry(files_.bob, "bob") +
                 R"(],"rules":[{"methods":["echo"]}]})");
}

std::vector<std::string> access_files::authorizations(credentials shown) const
{
    switch (shown) {
    case credentials::none: break;
    case credentials::token: return {"Bearer " + files_.alice.token};
    case credentials::jwt: return {"Bearer " + jwt_};
    case credentials::two_tokens: return {"Bearer " + files_.alice.token, "Bearer " + files_.bob.token};
    }
    return {};
}

} // namespace bench
