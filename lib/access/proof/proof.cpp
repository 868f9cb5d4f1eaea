#include "access/proof/proof.hpp"

#include "access/jwt/compact.hpp"
#include "access/proof/canonical.hpp"
#include "protocol/json/base64.hpp"
#include "protocol/json/for_each_member.hpp"

#include <partyline/protocol/writer.hpp>
#include <partyline/session/peer_identity.hpp>

#include <algorithm>
#include <new>
#include <utility>

#include <openssl/rand.h>

namespace partyline::access {
namespace {

using time_point = std::chrono::system_clock::time_point;
using seconds = std::chrono::duration<double>;

std::string_view as_text(const auto& bytes) noexcept
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A proof as it was shown.
struct shown_proof {
    bool is_there = false;
    std::optional<std::string> text = {}; // nothing where it is no text, or there are two
};

// The member of an object; `count`: how many there are of the name.
json_view find_member(json_view object, std::string_view name, std::size_t& count)
{
    scanner scan;
    std::string memory;
    json_view found;
    for_each_member(scan, object.text(), memory, [&](const member_text& one) {
        if (one.name != name)
            return;
        ++count;
        found = json_view::checked(one.value);
    });
    return found;
}

shown_proof proof_of(const unproven_call& call)
{
    if (call.params.text().starts_with('['))
        return {!call.proof_beside.empty(), std::string(call.proof_beside)};
    std::size_t count = 0;
    const json_view metadata = find_member(call.params, "_meta", count);
    count = 0;
    const json_view proof = find_member(metadata, proof_member, count);
    return {count != 0, count == 1 ? text_of(proof) : std::nullopt};
}

/// The claims of a proof, read.
struct proof_claims {
    std::optional<std::string> method = {};
    std::optional<std::string> params = {};
    std::optional<double> issued = {};
    std::optional<proof_nonce> nonce = {};
};

std::optional<proof_nonce> nonce_of(json_view value)
{
    const std::optional<std::string> text = text_of(value);
    const std::optional<std::string> bytes = text ? decode_base64url(*text) : std::nullopt;
    proof_nonce nonce;
    if (!bytes || bytes->size() != nonce.size())
        return std::nullopt;
    std::copy(bytes->begin(), bytes->end(), nonce.begin());
    return nonce;
}

bool is_recent(std::optional<double> issued, time_point now) noexcept
{
    const double time = std::chrono::duration_cast<seconds>(now.time_since_epoch()).count();
    return issued && time - *issued <= seconds(proof_lifetime).count() && *issued - time <= seconds(proof_lead).count();
}

proof_verdict refuse_for(std::string_view reason)
{
    return {proof_verdict::outcome::refused, reason};
}

proof_verdict not_now()
{
    return {proof_verdict::outcome::busy, {}};
}

// What costs nothing comes first.
std::optional<proof_verdict> check_claims(const unproven_call& call, const proof_claims& claims, time_point now)
{
    if (!claims.nonce)
        return refuse_for("signature");
    if (claims.method != call.method)
        return refuse_for("method");
    if (!is_recent(claims.issued, now))
        return refuse_for("time");
    const std::optional<token_digest> params = digest_of_params(call.params.text());
    if (!params || claims.params != encode_base64url(as_text(*params)))
        return refuse_for("params");
    return std::nullopt;
}

proof_verdict verdict_of(seen_nonces::result found)
{
    switch (found) {
    case seen_nonces::result::is_new: break;
    case seen_nonces::result::replayed: return refuse_for("replayed");
    case seen_nonces::result::outdated: return refuse_for("time");
    case seen_nonces::result::full: return not_now();
    }
    return {proof_verdict::outcome::valid, {}};
}

} // namespace

signer_set::signer_set(std::vector<signer> all) : all_(std::move(all))
{
    std::sort(all_.begin(), all_.end(), [](const signer& a, const signer& b) { return a.id < b.id; });
}

const signer* signer_set::find(const std::optional<std::string>& id, std::string_view principal) const noexcept
{
    if (id) {
        const auto found =
            std::lower_bound(all_.begin(), all_.end(), *id,
                             [](const signer& one, const std::string& wanted) { return one.id < wanted; });
        return found != all_.end() && found->id == *id ? &*found : nullptr;
    }
    const signer* only = nullptr;
    for (const signer& one : all_) {
        if (!principal.empty() && one.principal != principal)
            continue;
        if (only)
            return nullptr;
        only = &one;
    }
    return only;
}

checked_proof check_proof(const unproven_call& call, const signer_set& signers, const proof_services& with,
                          time_point now)
{
    const shown_proof shown = proof_of(call);
    if (!shown.is_there)
        return {};
    const std::optional<compact_jwt> proof = shown.text ? read_compact(*shown.text, jwt_use::proof) : std::nullopt;
    if (!proof)
        return {refuse_for("signature")};
    const std::string_view principal = call.peer ? std::string_view(call.peer->principal) : std::string_view();
    const signer* const by = signers.find(proof->key_id, principal);
    const bool is_its_peer = by && (principal.empty() || by->principal == principal);
    if (!is_its_peer || (by->until && now >= *by->until) || !by->key->signs_by(proof->algorithm))
        return {refuse_for("key")};
    const proof_claims claims = {text_of(proof->claims.find("m")), text_of(proof->claims.find("p")),
                                 number_of(proof->claims.find("iat")), nonce_of(proof->claims.find("jti"))};
    if (std::optional<proof_verdict> verdict = check_claims(call, claims, now))
        return {*std::move(verdict)};
    if (principal.empty() && !with.signatures->take(now, by->key->cost()))
        return {not_now()};
    if (!by->key->has_signed(proof->signed_part, proof->algorithm, proof->signature))
        return {refuse_for("signature")};
    const time_point issued(std::chrono::duration_cast<time_point::duration>(seconds(*claims.issued)));
    checked_proof found = {{}, by, *claims.nonce, issued + proof_lifetime};
    found.verdict = verdict_of(with.seen->look(by->principal, found.nonce, found.end, now));
    return found;
}

proof_verdict use_proof(const checked_proof& valid, const proof_services& with, time_point now)
{
    return verdict_of(with.seen->enter(valid.by->principal, valid.nonce, valid.end, now));
}

namespace {

std::string header_of(const private_key& key)
{
    byte_buffer header;
    header.append(R"({"alg":")");
    header.append(name_of(key.algorithm()));
    header.append(R"(","typ":")");
    header.append(proof_type);
    header.append("\"");
    if (key.id()) {
        header.append(",\"kid\":");
        write_string(header, *key.id());
    }
    header.append("}");
    return std::string(header.view());
}

} // namespace

std::string make_proof(const private_key& key, std::string_view method, const token_digest& params, time_point now)
{
    proof_nonce nonce;
    if (RAND_bytes(nonce.data(), static_cast<int>(nonce.size())) != 1)
        throw std::bad_alloc();
    byte_buffer claims;
    claims.append("{\"m\":");
    write_string(claims, method);
    claims.append(",\"p\":\"" + encode_base64url(as_text(params)) + "\",\"iat\":");
    claims.append(std::to_string(std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count()));
    claims.append(",\"jti\":\"" + encode_base64url(as_text(nonce)) + "\"}");
    std::string text = encode_base64url(header_of(key)) + '.' + encode_base64url(claims.view());
    return text + '.' + encode_base64url(key.sign(text));
}

} // namespace partyline::access
