#pragma once

#include "access/gate_state.hpp"
#include "access/rules/quota_book.hpp"
#include "access/tokens/failure_book.hpp"
#include "access/tokens/grant_book.hpp"
#include "access/tokens/refusal_book.hpp"
#include "access/tokens/refusal_log.hpp"

#include <partyline/access/gate.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::access {

/// What a `gate` is a handle of.
///
/// Flow: what a peer shows becomes a digest, under which its grant is found in `grants_`. What is not known there is
/// looked for in the file, then among its issuers, then by the authenticators; refusals are remembered. A new reading
/// of the file has a higher epoch, by which each grant is looked at again when it is used next.
class gate_core : public std::enable_shared_from_this<gate_core> {
public:
    using time_point = std::chrono::system_clock::time_point;

    explicit gate_core(std::string path);
    /// Behind the constructor, since it refers to itself: what the issuers' keys log comes to `log()`.
    void start();

    void add(std::shared_ptr<authenticator> other) { authenticators_.push_back(std::move(other)); }
    void fetch_by(document_fetcher fetcher);
    void log_to(std::function<void(std::string_view)> log);

    void reload();
    explanation explain(const peer_identity& peer, std::string_view method, std::string_view key) const;
    std::shared_ptr<const protected_resource> resource() const { return state()->resource(); }
    /// Throws where there is no memory.
    proof_verdict check_proof(const unproven_call& call, time_point now);

    // These throw where there is no memory.
    authentication authenticate(const peer_identity& from, std::optional<std::string_view> authorization,
                                time_point now);
    authentication renew(const std::shared_ptr<const access_grant>& grant, time_point now);

    // For tests.
    std::size_t known_grants() const { return grants_.size(); }
    std::size_t known_refusals() const { return refusals_.size(); }
    std::size_t known_addresses() const { return failures_.size(); }
    std::size_t known_quotas() const { return quotas_.size(); }

private:
    using grant_ptr = grant_book::grant_ptr;

    /// Who somebody vouches for, with the scopes that are given directly.
    struct vouched_peer {
        peer_identity peer = {};
        issued_grant::origin from = issued_grant::origin::file;
        std::shared_ptr<const std::string> issuer = {};
        std::shared_ptr<const verification_key> key = {};
    };

    std::shared_ptr<const gate_state> state() const;
    void log(std::string_view line) const;

    authentication by_token(const peer_identity& from, std::string_view authorization, time_point now);
    authentication by_unknown_token(const peer_identity& from, std::string_view token, const credential& shown,
                                    const grant_ptr& before, time_point now);
    authentication by_connection(const peer_identity& from, time_point now);
    std::optional<authentication> by_file(const gate_state& reading, const credential& shown, const grant_ptr& before,
                                          time_point now);
    authentication check_token(const gate_state& reading, std::string_view token, const credential& shown,
                               const grant_ptr& before, time_point now);
    std::optional<vouched_peer> ask_authenticators(std::string_view token, time_point now);
    /// Null where it has expired.
    std::shared_ptr<const access_grant> grant_of(const gate_state& reading, const signer& by, time_point now);
    authentication refuse(const peer_identity& from, authentication_outcome why, const credential* shown,
                          time_point now);

    authentication reissue(const gate_state& reading, const grant_ptr& grant, time_point now);
    /// `is_renewal`: the credentials have not been checked for it.
    authentication issue(const gate_state& reading, const credential& shown, vouched_peer who, const grant_ptr& before,
                         time_point now, bool is_renewal = false);
    std::shared_ptr<issued_grant> make_grant(const gate_state& reading, const credential& shown, vouched_peer who);

    const std::string path_;
    const std::shared_ptr<issuer_services> services_;
    const std::shared_ptr<proof_check> proofs_; // of its views, which may live longer
    std::vector<std::shared_ptr<authenticator>> authenticators_;
    std::mutex reloading_;
    mutable std::mutex mutex_; // of what follows
    std::shared_ptr<const gate_state> state_;
    std::shared_ptr<const std::function<void(std::string_view)>> log_;

    std::atomic<std::uint64_t> epoch_ = 0;
    grant_book grants_;
    refusal_book refusals_;
    failure_book failures_;
    refusal_log refusal_log_;
    quota_book quotas_;
};

} // namespace partyline::access
