#include "access/gate_core.hpp"
#include "access/names.hpp"
#include "access/tokens/bearer.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace partyline::access {
namespace {

// An authenticator is somebody else's: what it says has to be a peer, whose name can't be taken for another's.
bool is_peer(const peer_identity& found)
{
    return is_principal(found.principal) && is_principal(found.source) && found.scopes.size() <= max_own_scopes &&
           std::all_of(found.scopes.begin(), found.scopes.end(), [](const std::string& one) { return is_scope(one); });
}

} // namespace

authentication gate_core::authenticate(const peer_identity& from, std::optional<std::string_view> authorization,
                                       time_point now)
{
    return authorization ? by_token(from, *authorization, now) : by_connection(from, now);
}

authentication gate_core::by_token(const peer_identity& from, std::string_view authorization, time_point now)
{
    const std::optional<std::string_view> token = find_bearer_token(authorization);
    if (!token)
        return refuse(from, authentication_outcome::malformed, nullptr, now);
    const std::optional<credential> shown = token_credential(*token);
    if (!shown)
        return {authentication_outcome::unavailable, {}};
    grant_book::found_grant known = grants_.find(*shown, epoch_.load(std::memory_order_acquire), now);
    if (known.is_valid)
        return {authentication_outcome::admitted, std::move(known.grant)};
    return by_unknown_token(from, *token, *shown, known.grant, now);
}

// Who knows a good token is admitted from a throttled address, too: it may be that of a proxy, or of many users. One
// that was admitted before is judged again there.
authentication gate_core::by_unknown_token(const peer_identity& from, std::string_view token, const credential& shown,
                                           const grant_ptr& before, time_point now)
{
    if (!has_token_characters(token))
        return refuse(from, authentication_outcome::malformed, nullptr, now);
    const std::shared_ptr<const gate_state> reading = state();
    std::optional<authentication> found = by_file(*reading, shown, before, now);
    if (found && found->outcome == authentication_outcome::admitted)
        return *found;
    if (!before && from.address && failures_.is_throttled(from.address->ip, now))
        return {authentication_outcome::throttled, {}};
    if (!found) {
        if (const auto refused = refusals_.find(shown, now))
            found = authentication{*refused, {}};
        else
            found = check_token(*reading, token, shown, before, now);
    }
    switch (found->outcome) {
    case authentication_outcome::admitted:
    case authentication_outcome::unavailable: return *found;
    default: grants_.erase(shown); return refuse(from, found->outcome, &shown, now);
    }
}

authentication gate_core::check_token(const gate_state& reading, std::string_view token, const credential& shown,
                                      const grant_ptr& before, time_point now)
{
    const token_history history = before ? token_history::admitted : token_history::unknown;
    if (std::optional<token_verdict> verdict = reading.verifier().verify(token, now, history)) {
        if (verdict->outcome == authentication_outcome::admitted) {
            std::shared_ptr<const std::string> issuer = reading.issuer_text(verdict->peer.source);
            return issue(
                reading, shown,
                {std::move(verdict->peer), issued_grant::origin::issuer, std::move(issuer), std::move(verdict->key)},
                before, now);
        }
        if (verdict->outcome != authentication_outcome::unavailable)
            refusals_.put(shown, verdict->outcome, now);
        return {verdict->outcome, {}};
    }
    std::optional<vouched_peer> found = ask_authenticators(token, now);
    if (!found) {
        refusals_.put(shown, authentication_outcome::invalid, now);
        return {authentication_outcome::invalid, {}};
    }
    if (found->peer.until && now >= *found->peer.until)
        return {authentication_outcome::expired, {}};
    return issue(reading, shown, std::move(*found), before, now);
}

std::optional<gate_core::vouched_peer> gate_core::ask_authenticators(std::string_view token, time_point now)
{
    for (const std::shared_ptr<authenticator>& one : authenticators_) {
        std::optional<peer_identity> found = one->check(token, now);
        if (!found)
            continue;
        if (!is_peer(*found)) {
            log("an authenticator names a peer whose principal, source or scopes are none; its token is refused");
            return std::nullopt;
        }
        found->local.reset();
        found->address.reset();
        std::sort(found->scopes.begin(), found->scopes.end());
        return vouched_peer{std::move(*found), issued_grant::origin::authenticator, {}, {}};
    }
    return std::nullopt;
}

// Nothing where the file does not know what was shown.
std::optional<authentication> gate_core::by_file(const gate_state& reading, const credential& shown,
                                                 const grant_ptr& before, time_point now)
{
    const std::optional<gate_state::known_peer> known = reading.find(shown);
    if (!known)
        return std::nullopt;
    if (known->peer->until && now >= *known->peer->until)
        return authentication{authentication_outcome::expired, {}};
    vouched_peer who;
    who.peer.principal = known->peer->principal;
    who.peer.source = known->source;
    who.peer.scopes = known->peer->scopes;
    who.peer.until = known->peer->until;
    return issue(reading, shown, std::move(who), before, now);
}

authentication gate_core::by_connection(const peer_identity& from, time_point now)
{
    std::optional<credential> all[3] = {std::nullopt, std::nullopt, make_credential(credential_kind::none)};
    const bool has_certificate = !from.principal.empty() && (from.source.empty() || from.source == "certificate");
    if (has_certificate && !(all[0] = certificate_credential(from.principal)))
        return {authentication_outcome::unavailable, {}};
    if (from.local && !(all[1] = user_credential(from.local->user)))
        return {authentication_outcome::unavailable, {}};
    std::shared_ptr<const gate_state> reading;
    for (const std::optional<credential>& one : all) {
        if (!one)
            continue;
        grant_book::found_grant known = grants_.find(*one, epoch_.load(std::memory_order_acquire), now);
        if (known.is_valid)
            return {authentication_outcome::admitted, std::move(known.grant)};
        if (!reading)
            reading = state();
        if (std::optional<authentication> found = by_file(*reading, *one, known.grant, now))
            return *found;
    }
    return {authentication_outcome::missing, {}};
}

authentication gate_core::refuse(const peer_identity& from, authentication_outcome why, const credential* shown,
                                 time_point now)
{
    if (from.address) {
        if (failures_.is_throttled(from.address->ip, now))
            return {authentication_outcome::throttled, {}};
        failures_.on_refusal(from.address->ip, now);
    }
    if (shown)
        if (const std::optional<std::string> line = refusal_log_.line(*shown, why, from, now))
            log(*line);
    return {why, {}};
}

// Whoever signs a call without having a principal is a peer of the file for it.
proof_verdict gate_core::check_proof(const unproven_call& call, time_point now)
{
    const std::shared_ptr<const gate_state> reading = state();
    const checked_proof checked = access::check_proof(call, reading->signers(), {}, now);
    if (checked.verdict.is != proof_verdict::outcome::valid)
        return checked.verdict;
    std::shared_ptr<const access_grant> signer;
    if (!call.peer || call.peer->principal.empty()) {
        signer = grant_of(*reading, *checked.by, now);
        if (!signer) // it has expired
            return {proof_verdict::outcome::refused, "key"};
    }
    if (call.consent && !call.consent(signer))
        return {proof_verdict::outcome::busy, {}};
    return use_proof(checked, {}, now);
}

std::shared_ptr<const access_grant> gate_core::grant_of(const gate_state& reading, const signer& by, time_point now)
{
    const std::optional<credential> shown = signer_credential(by.id);
    if (!shown)
        throw std::bad_alloc();
    grant_book::found_grant known = grants_.find(*shown, reading.epoch(), now);
    if (known.is_valid)
        return std::move(known.grant);
    return by_file(reading, *shown, known.grant, now).value().grant;
}

} // namespace partyline::access
