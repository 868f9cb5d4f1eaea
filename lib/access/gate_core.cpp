#include "access/gate_core.hpp"

#include "access/file/values.hpp"
#include "access/rules/implied_scopes.hpp"
#include "session/use_grant.hpp"

#include <utility>

namespace partyline::access {

gate_core::gate_core(std::string path)
    : path_(std::move(path)), services_(std::make_shared<issuer_services>()), proofs_(std::make_shared<proof_check>()),
      state_(std::make_shared<const gate_state>(read_access_file(path_), 1, services_, proofs_, nullptr)), epoch_(1)
{
}

void gate_core::start()
{
    services_->log = [core = weak_from_this()](std::string_view line) {
        if (const std::shared_ptr<gate_core> alive = core.lock())
            alive->log(line);
    };
    *proofs_ = [core = weak_from_this()](const unproven_call& call) -> proof_verdict {
        if (const std::shared_ptr<gate_core> alive = core.lock())
            return alive->check_proof(call, std::chrono::system_clock::now());
        return {proof_verdict::outcome::refused, "key"};
    };
}

void gate_core::fetch_by(document_fetcher fetcher)
{
    services_->fetch = std::move(fetcher);
    state()->verifier().fetch_keys(std::chrono::system_clock::now());
}

void gate_core::log_to(std::function<void(std::string_view)> log)
{
    auto shared = log ? std::make_shared<const std::function<void(std::string_view)>>(std::move(log)) : nullptr;
    const std::lock_guard lock(mutex_);
    log_ = std::move(shared);
}

void gate_core::log(std::string_view line) const
{
    std::shared_ptr<const std::function<void(std::string_view)>> to;
    {
        const std::lock_guard lock(mutex_);
        to = log_;
    }
    if (to)
        (*to)(line);
}

std::shared_ptr<const gate_state> gate_core::state() const
{
    const std::lock_guard lock(mutex_);
    return state_;
}

void gate_core::reload()
{
    const std::lock_guard one_at_a_time(reloading_);
    const std::shared_ptr<const gate_state> before = state();
    auto read = std::make_shared<const gate_state>(read_access_file(path_), before->epoch() + 1, services_, proofs_,
                                                   before.get());
    {
        const std::lock_guard lock(mutex_);
        state_ = read;
    }
    refusals_.clear();
    epoch_.store(read->epoch(), std::memory_order_release);
    read->verifier().fetch_keys(std::chrono::system_clock::now());
}

authentication gate_core::renew(const std::shared_ptr<const access_grant>& grant, time_point now)
{
    const auto& issued = static_cast<const issued_grant&>(*grant);
    if (issued.peer->until && now >= *issued.peer->until)
        return {authentication_outcome::expired, {}};
    if (issued.epoch.load(std::memory_order_acquire) == epoch_.load(std::memory_order_acquire))
        return {authentication_outcome::admitted, grant};
    const std::shared_ptr<const gate_state> reading = state();
    grant_ptr known = grants_.find(issued.shown, reading->epoch(), now).grant;
    if (!known)
        known = std::static_pointer_cast<const issued_grant>(grant);
    authentication again = {authentication_outcome::admitted, known};
    if (known->epoch.load(std::memory_order_acquire) != reading->epoch())
        again = reissue(*reading, known, now);
    if (again.grant && !is_same_peer(*again.grant, *grant)) // the file makes somebody else of these credentials
        return {authentication_outcome::invalid, {}};
    return again;
}

// The credentials themselves are not here any more: what vouched for the peer must be as it was. But where that is not
// the file, it may say otherwise by now, and is asked when they are shown again.
authentication gate_core::reissue(const gate_state& reading, const grant_ptr& grant, time_point now)
{
    if (grant->from == issued_grant::origin::file)
        return by_file(reading, grant->shown, grant, now).value_or(authentication{authentication_outcome::invalid, {}});
    const std::shared_ptr<const std::string> issuer = reading.issuer_text(grant->peer->source);
    if (grant->from == issued_grant::origin::issuer &&
        (!issuer || *issuer != *grant->issuer || !reading.verifier().may_have(grant->peer->source, *grant->key, now)))
        return {authentication_outcome::invalid, {}};
    vouched_peer who = {*grant->peer, grant->from, grant->issuer, grant->key};
    who.peer.scopes = grant->own_scopes;
    return issue(reading, grant->shown, std::move(who), grant, now, true);
}

std::shared_ptr<issued_grant> gate_core::make_grant(const gate_state& reading, const credential& shown,
                                                    vouched_peer who)
{
    auto made = std::make_shared<issued_grant>();
    made->shown = shown;
    made->from = who.from;
    made->issuer = std::move(who.issuer);
    made->key = std::move(who.key);
    if (who.from != issued_grant::origin::file)
        made->own_scopes = who.peer.scopes;
    who.peer.scopes = with_implied(std::move(who.peer.scopes), reading.file().implies);
    if (reading.views())
        made->view = reading.views()->find(who.peer.principal, who.peer.scopes);
    made->quota = quotas_.find(who.peer.source + '\n' + who.peer.principal,
                               limits_for(reading.file().limits, who.peer.principal));
    made->peer = std::make_shared<const peer_identity>(std::move(who.peer));
    made->epoch = reading.epoch();
    return made;
}

namespace {

bool has_same_view(const access_grant& a, const access_grant& b) noexcept
{
    if (a.view == b.view)
        return true;
    return a.view && b.view &&
           static_cast<const rule_view&>(*a.view).has_rights_of(static_cast<const rule_view&>(*b.view));
}

bool means_same(const issued_grant& a, const issued_grant& b) noexcept
{
    return a.from == b.from && a.peer->principal == b.peer->principal && a.peer->source == b.peer->source &&
           a.peer->scopes == b.peer->scopes && a.peer->until == b.peer->until && a.own_scopes == b.own_scopes &&
           (a.issuer == b.issuer || (a.issuer && b.issuer && *a.issuer == *b.issuer)) && a.quota == b.quota &&
           has_same_view(a, b);
}

} // namespace

authentication gate_core::issue(const gate_state& reading, const credential& shown, vouched_peer who,
                                const grant_ptr& before, time_point now, bool is_renewal)
{
    const std::uint64_t checked_by = is_renewal ? grant_book::unchecked : reading.epoch();
    const std::shared_ptr<issued_grant> made = make_grant(reading, shown, std::move(who));
    if (before && means_same(*before, *made)) {
        before->epoch.store(reading.epoch(), std::memory_order_release);
        grants_.put(before, checked_by, now);
        return {authentication_outcome::admitted, before};
    }
    if (before && has_same_view(*before, *made))
        made->view = before->view;
    grants_.put(made, checked_by, now);
    return {authentication_outcome::admitted, made};
}

explanation gate_core::explain(const peer_identity& peer, std::string_view method, std::string_view key) const
{
    const std::shared_ptr<const gate_state> reading = state();
    if (!reading->views())
        return {access_answer::allowed, "allowed: the file has no rules", false};
    const std::vector<std::string> scopes = with_implied(peer.scopes, reading->file().implies);
    const bool is_anonymous = peer.source.empty() && peer.principal == anonymous_principal;
    const std::string_view principal = is_anonymous ? std::string_view() : peer.principal;
    const rule_view::reason why = reading->views()->find(principal, scopes)->explain(method, key);
    const std::string place = "rules[" + std::to_string(why.rule) + ']';
    switch (why.answer) {
    case access_answer::hidden: return {why.answer, "hidden: no rule fits"};
    case access_answer::needs_proof: return {why.answer, "needs a proof: " + place};
    case access_answer::allowed:
        return {why.answer, "allowed: " + (why.rule == rule_set::free ? "every peer may call it" : place)};
    case access_answer::lacks_scope: break;
    }
    std::string missing;
    std::size_t count = 0;
    for (const std::string& one : reading->views()->rules().rules()[why.rule].scopes)
        if (!std::binary_search(scopes.begin(), scopes.end(), one))
            missing.append(count++ == 0 ? "" : ", ").append(one);
    return {why.answer, (count == 1 ? "lacks scope " : "lacks scopes ") + missing + ": " + place};
}

} // namespace partyline::access
