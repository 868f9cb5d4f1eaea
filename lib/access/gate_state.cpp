#include "access/gate_state.hpp"

#include <cstring>
#include <new>
#include <set>
#include <utility>

namespace partyline::access {
namespace {

std::optional<credential> credential_of(credential_kind kind, std::string_view text) noexcept
{
    const std::optional<token_digest> digest = digest_of(text);
    if (!digest)
        return std::nullopt;
    return make_credential(kind, *digest);
}

std::vector<issuer_settings> settings_of(const access_file& file)
{
    std::vector<issuer_settings> all;
    all.reserve(file.issuers.size());
    for (const issuer_entry& one : file.issuers)
        all.push_back(one.settings);
    return all;
}

std::shared_ptr<const protected_resource> describe(const access_file& file)
{
    if (file.resource.empty())
        return {};
    auto found = std::make_shared<protected_resource>();
    found->resource = file.resource;
    for (const issuer_entry& one : file.issuers)
        found->authorization_servers.push_back(one.settings.claims.issuer);
    std::set<std::string> scopes;
    if (file.rules)
        for (const rule& one : *file.rules)
            if (!one.principals)
                scopes.insert(one.scopes.begin(), one.scopes.end());
    found->scopes_supported.assign(scopes.begin(), scopes.end());
    return found;
}

signer_set signers_of(const access_file& file)
{
    std::vector<signer> all;
    all.reserve(file.signers.size());
    for (const signer_entry& one : file.signers)
        all.push_back({one.peer.principal, one.id, one.key, one.peer.until});
    return signer_set(std::move(all));
}

std::shared_ptr<view_book> views_of(const access_file& file, const std::shared_ptr<const proof_check>& proofs,
                                    const gate_state* before)
{
    if (!file.rules)
        return {};
    std::set<std::string> names;
    for (const signer_entry& one : file.signers)
        names.insert(one.peer.principal);
    std::vector<std::string> signers(names.begin(), names.end());
    std::shared_ptr<view_book> known = before ? before->views() : nullptr;
    if (known && known->rules().rules() == *file.rules && known->rules().signers() == signers)
        return known;
    return std::make_shared<view_book>(*file.rules, std::move(signers), proofs);
}

} // namespace

std::optional<credential> token_credential(std::string_view token) noexcept
{
    return credential_of(credential_kind::token, token);
}

std::optional<credential> certificate_credential(std::string_view subject) noexcept
{
    return credential_of(credential_kind::certificate, subject);
}

std::optional<credential> user_credential(::uid_t uid) noexcept
{
    char bytes[sizeof uid];
    std::memcpy(bytes, &uid, sizeof uid);
    return credential_of(credential_kind::user, {bytes, sizeof bytes});
}

std::optional<credential> signer_credential(std::string_view id) noexcept
{
    return credential_of(credential_kind::signer, id);
}

gate_state::gate_state(access_file file, std::uint64_t epoch, const std::shared_ptr<issuer_services>& services,
                       const std::shared_ptr<const proof_check>& proofs, const gate_state* before)
    : file_(std::move(file)), epoch_(epoch),
      verifier_(settings_of(file_), services, before ? &before->verifier() : nullptr), signers_(signers_of(file_)),
      views_(views_of(file_, proofs, before)), resource_(describe(file_))
{
    for (const token_entry& one : file_.tokens)
        know(make_credential(credential_kind::token, one.sha256), one.peer, "token");
    for (const certificate_entry& one : file_.certificates)
        know(certificate_credential(one.subject), one.peer, "certificate");
    for (const user_entry& one : file_.users)
        know(user_credential(one.uid), one.peer, "user");
    for (const signer_entry& one : file_.signers)
        know(signer_credential(one.id), one.peer, "proof");
    if (file_.anonymous)
        know(make_credential(credential_kind::none), anonymous_, {});
    for (const issuer_entry& one : file_.issuers)
        issuer_texts_.push_back(std::make_shared<const std::string>(one.text));
}

void gate_state::know(const std::optional<credential>& shown, const named_peer& peer, std::string_view source)
{
    if (!shown)
        throw std::bad_alloc(); // libcrypto's only reason
    known_.emplace(*shown, known_peer{&peer, source});
}

std::optional<gate_state::known_peer> gate_state::find(const credential& shown) const noexcept
{
    const auto found = known_.find(shown);
    if (found == known_.end())
        return std::nullopt;
    return found->second;
}

std::shared_ptr<const std::string> gate_state::issuer_text(std::string_view issuer) const noexcept
{
    for (std::size_t i = 0; i < issuer_texts_.size(); ++i)
        if (file_.issuers[i].settings.claims.issuer == issuer)
            return issuer_texts_[i];
    return {};
}

} // namespace partyline::access
