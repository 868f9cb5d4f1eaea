// Proofs of calls: made, and checked with all that belongs to it.

#include "access/proof/canonical.hpp"
#include "access/proof/proof.hpp"
#include "protocol/json/base64.hpp"

#include <partyline/access/sign_calls.hpp>
#include <partyline/session/peer_identity.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace partyline;
using namespace partyline::access;

// With their proof some 300 bytes more.
constexpr const char* call_params =
    R"({"name":"delete_file","arguments":{"path":"/srv/files/reports/2026/november/summary.txt","force":true,)"
    R"("reason":"superseded by a newer one","count":3,"weight":0.25,"tags":["a","b","c"],"owner":"agent-7",)"
    R"("comment":"this is what brings it to three hundred bytes, which is a usual call of a tool"}})";

struct key_pair {
    private_key own;
    signer_set signers;
};

key_pair keys(bool is_secret)
{
    const std::string secret = R"({"kty":"oct","kid":"k","k":")" + encode_base64url(std::string(32, 'k')) + "\"}";
    const new_key made = make_key("k");
    const std::string open = is_secret ? secret : made.public_jwk;
    std::vector<signer> all(1);
    all[0].principal = "agent-7";
    all[0].id = "k";
    all[0].key = std::make_shared<const verification_key>(
        verification_key::read(object_members::read(open, 4).value(), access::jwt_use::proof).value());
    return {private_key::read(is_secret ? secret : made.private_jwk).value(), signer_set(std::move(all))};
}

void canonical_300_bytes(benchmark::State& state)
{
    for (auto _ : state)
        benchmark::DoNotOptimize(digest_of_params(call_params));
}

void made_proof(benchmark::State& state, bool is_secret)
{
    const key_pair by = keys(is_secret);
    const auto now = std::chrono::system_clock::now();
    for (auto _ : state)
        benchmark::DoNotOptimize(make_proof(by.own, "tools/call", *digest_of_params(call_params), now));
}

void checked_proof_of_300_bytes(benchmark::State& state, bool is_secret)
{
    const key_pair by = keys(is_secret);
    peer_identity peer;
    peer.principal = "agent-7";
    auto now = std::chrono::system_clock::now();
    constexpr std::size_t count = 2'000; // fewer than a signer has in a minute
    std::vector<std::string> calls(count);
    seen_nonces seen;
    proof_services with;
    with.seen = &seen;
    std::size_t next = count;
    for (auto _ : state) {
        if (next == count) {
            state.PauseTiming();
            now += std::chrono::minutes(2);
            for (std::string& one : calls)
                one = R"({"_meta":{"partyline/proof":")" +
                      make_proof(by.own, "tools/call", *digest_of_params(call_params), now) + R"("},)" +
                      (call_params + 1);
            next = 0;
            state.ResumeTiming();
        }
        unproven_call call;
        call.method = "tools/call";
        call.params = json_view::checked(calls[next++]);
        call.peer = &peer;
        const checked_proof found = check_proof(call, by.signers, with, now);
        if (found.verdict.is != proof_verdict::outcome::valid ||
            use_proof(found, with, now).is != proof_verdict::outcome::valid)
            state.SkipWithError("not valid");
    }
}

BENCHMARK(canonical_300_bytes);
BENCHMARK_CAPTURE(made_proof, hs256, true);
BENCHMARK_CAPTURE(made_proof, eddsa, false);
BENCHMARK_CAPTURE(checked_proof_of_300_bytes, hs256, true);
BENCHMARK_CAPTURE(checked_proof_of_300_bytes, eddsa, false);

} // namespace
