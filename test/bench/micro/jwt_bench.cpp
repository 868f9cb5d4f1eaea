// First sight of a token: all that is checked before its digest is known.

#include "access/jwt/issuers.hpp"
#include "support/jwt_signer.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace partyline::access;

constexpr std::chrono::system_clock::time_point start{std::chrono::seconds(1'800'000'000)};

// As an authorization server writes them (RFC 9068).
constexpr const char* claims =
    R"({"iss":"https://as.example.org","sub":"alice","aud":"https://rpc.example.org/mcp","client_id":"agent-7",)"
    R"("scope":"files:read files:write mcp:tools","iat":1799999990,"jti":"7f1c2b9e-54a1-4d1e-9a77-1a3c2f",)"
    R"("exp":2000000000})";

issuers one_issuer(const std::string& jwk)
{
    std::vector<issuer_settings> list(1);
    list[0].claims.issuer = "https://as.example.org";
    list[0].claims.audiences = {"https://rpc.example.org/mcp"};
    list[0].keys = read_key_set(partyline::test::jwks({jwk})).keys;
    return issuers(std::move(list), std::make_shared<issuer_services>(), nullptr);
}

bool is_admitted(const std::optional<token_verdict>& verdict)
{
    return verdict && verdict->outcome == partyline::authentication_outcome::admitted;
}

void first_sight(benchmark::State& state, const char* algorithm, std::size_t bits)
{
    const partyline::test::jwt_signer key(algorithm, "k1", bits);
    const issuers all = one_issuer(key.jwk());
    const std::string token = key.token(claims);
    static std::chrono::system_clock::time_point now = start;
    for (auto _ : state) {
        now += std::chrono::milliseconds(5); // so that the process has signatures left
        if (!is_admitted(all.verify(token, now)))
            state.SkipWithError("not admitted");
    }
    state.counters["bytes"] = static_cast<double>(token.size());
}

// Of a token that a stranger has made up: no signature is looked at.
void refused_by_its_claims(benchmark::State& state)
{
    const partyline::test::jwt_signer key("EdDSA");
    const issuers all = one_issuer(key.jwk());
    const std::string token = key.token(R"({"iss":"https://as.example.org","aud":"https://rpc.example.org/mcp"})");
    for (auto _ : state)
        if (is_admitted(all.verify(token, start)))
            state.SkipWithError("admitted");
}

} // namespace

BENCHMARK_CAPTURE(first_sight, RS256, "RS256", 2048);
BENCHMARK_CAPTURE(first_sight, RS256_of_4096_bits, "RS256", 4096);
BENCHMARK_CAPTURE(first_sight, PS256, "PS256", 2048);
BENCHMARK_CAPTURE(first_sight, ES256, "ES256", 0);
BENCHMARK_CAPTURE(first_sight, ES384, "ES384", 0);
BENCHMARK_CAPTURE(first_sight, EdDSA, "EdDSA", 0);
BENCHMARK(refused_by_its_claims);
