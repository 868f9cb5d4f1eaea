#pragma once

#include "access/proof/canonical.hpp"
#include "access/proof/proof.hpp"
#include "protocol/json/base64.hpp"
#include "support/jwt_signer.hpp"

#include <partyline/access/sign_calls.hpp>
#include <partyline/session/peer_identity.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::access {

inline const std::string secret_jwk =
    R"({"kty":"oct","kid":"s-1","k":")" + encode_base64url("a secret of thirty-two bytes.....") + R"("})";

inline std::shared_ptr<const verification_key> public_key(const std::string& jwk)
{
    return std::make_shared<const verification_key>(
        verification_key::read(object_members::read(jwk, 4).value(), jwt_use::proof).value());
}

inline private_key private_key_of(std::string_view text)
{
    return private_key::read(text).value();
}

/// Checks proofs of "agent-7", whose key has the id "k1", and of "service", who has a secret; all of one time.
struct proof_fixture {
    proof_fixture()
    {
        with.seen = &seen;
        with.signatures = &quota;
        peer.principal = "agent-7";
    }

    static std::string digest_text(std::string_view params)
    {
        const token_digest digest = digest_of_params(params).value();
        return encode_base64url({reinterpret_cast<const char*>(digest.data()), digest.size()});
    }
    static std::string nonce_text(int number)
    {
        std::string bytes(16, '\0');
        bytes[0] = static_cast<char>(number % 256);
        bytes[1] = static_cast<char>(number / 256);
        return encode_base64url(bytes);
    }
    std::string claims(std::string_view method, std::string_view params, std::string_view more = {})
    {
        return R"({"m":")" + std::string(method) + R"(","p":")" + digest_text(params) + R"(","iat":)" +
               std::to_string(issued.time_since_epoch() / std::chrono::seconds(1)) + R"(,"jti":")" +
               nonce_text(next_nonce++) + '"' + std::string(more) + '}';
    }
    std::string proof(std::string_view method, std::string_view params, std::string_view more = {})
    {
        return agent.token(header, claims(method, params, more));
    }
    static std::string signed_params(const std::string& params, std::string_view proof)
    {
        const std::string meta = R"({"_meta":{"partyline/proof":")" + std::string(proof) + R"("})";
        return params == "{}" ? meta + '}' : meta + ',' + params.substr(1);
    }

    /// What is said of a call: "valid", "busy", or why it is refused.
    std::string judge(std::string_view method, const std::string& params)
    {
        unproven_call call;
        call.method = method;
        call.params = json_view::checked(params);
        call.peer = &peer;
        checked_proof found = check_proof(call, signers, with, now);
        if (found.verdict.is == proof_verdict::outcome::valid) {
            by = found.by->principal;
            found.verdict = use_proof(found, with, now);
        }
        return found.verdict.is == proof_verdict::outcome::valid  ? "valid"
               : found.verdict.is == proof_verdict::outcome::busy ? "busy"
                                                                  : std::string(found.verdict.reason);
    }
    /// Of one with this proof.
    std::string judge_with(std::string_view proof, std::string_view method = "add", const std::string& params = "{}")
    {
        return judge(method, signed_params(params, proof));
    }

    const test::jwt_signer agent{"EdDSA", "k1"};
    const std::string header = R"({"alg":"EdDSA","typ":"partyline-proof+jwt","kid":"k1"})";
    signer_set signers{
        {{"agent-7", "k1", public_key(agent.jwk()), {}}, {"service", "s-1", public_key(secret_jwk), {}}}};
    seen_nonces seen;
    signature_quota quota;
    proof_services with;
    peer_identity peer;
    std::string by;
    int next_nonce = 0;
    std::chrono::system_clock::time_point now{std::chrono::seconds(1'800'000'000)};
    std::chrono::system_clock::time_point issued = now;
};

} // namespace partyline::access
