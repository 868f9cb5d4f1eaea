#pragma once

#include "access/digest.hpp"
#include "access/jwt/signature_quota.hpp"
#include "access/jwt/verification_key.hpp"
#include "access/proof/private_key.hpp"
#include "access/proof/seen.hpp"

#include <partyline/session/access_view.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::access {

/// The member of `_meta` that is the proof of a call.
inline constexpr std::string_view proof_member = "partyline/proof";

/// How old a proof may be, and how far ahead, since clocks differ.
inline constexpr std::chrono::seconds proof_lifetime{60};
inline constexpr std::chrono::seconds proof_lead{5};

/// A principal and a key by which it signs.
struct signer {
    std::string principal = {};
    /// That proofs name by `kid`.
    std::string id = {};
    std::shared_ptr<const verification_key> key = {};
    /// When its signatures cease to count; unset: never.
    std::optional<std::chrono::system_clock::time_point> until = {};
};

/// Those whose proofs are valid. Does not change.
class signer_set {
public:
    signer_set() = default;
    /// No two have one id.
    explicit signer_set(std::vector<signer> all);

    const std::vector<signer>& all() const noexcept { return all_; }
    /// By the id of a proof, or, where it names none, the only one of the principal, which is empty where that is not
    /// known: then the only one. Null where there is none, or more than one.
    const signer* find(const std::optional<std::string>& id, std::string_view principal) const noexcept;

private:
    std::vector<signer> all_; // by id
};

/// What checking a proof needs besides the signers.
struct proof_services {
    seen_nonces* seen = &seen_nonces::of_process();
    signature_quota* signatures = &signature_quota::of_proofs();
};

/// The result of checking a proof.
struct checked_proof {
    proof_verdict verdict = {};
    /// Of a valid one, who has signed it.
    const signer* by = nullptr;
    proof_nonce nonce = {};
    /// When it is too old.
    std::chrono::system_clock::time_point end = {};
};

/// Checks the proof of a call, which stands in its params' `_meta`, and beside it where these are an array: a JWT with
/// the claims `m`, the method; `p`, the digest of the params; `iat`, the time; `jti`, the nonce. Its signer is the
/// principal of the call's peer; where that has none, anybody of the signers. Throws `std::bad_alloc`.
///
/// Costs one signature at most, and only where all else is right. Of a peer without a principal these take from the
/// quota of signatures: everybody may be one.
checked_proof check_proof(const unproven_call& call, const signer_set& signers, const proof_services& with,
                          std::chrono::system_clock::time_point now);

/// Uses a proof that is valid: it is not so again. It may have been used meanwhile. Throws `std::bad_alloc`; then it
/// has not been used.
proof_verdict use_proof(const checked_proof& valid, const proof_services& with,
                        std::chrono::system_clock::time_point now);

/// Makes the proof of a call whose params have this digest. Throws `std::bad_alloc` where libcrypto does not work.
std::string make_proof(const private_key& key, std::string_view method, const token_digest& params,
                       std::chrono::system_clock::time_point now);

} // namespace partyline::access
