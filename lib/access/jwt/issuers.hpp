#pragma once

#include "access/jwt/claims.hpp"
#include "access/jwt/compact.hpp"
#include "access/jwt/issuer_keys.hpp"
#include "access/jwt/key_set.hpp"

#include <partyline/transport/document_fetcher.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace partyline::access {

/// One entry of the access file's `issuers`, checked by its reader.
struct issuer_settings {
    /// Who it is, and what its tokens must claim.
    claim_rules claims = {};
    /// Where its keys are fetched; not looked at where there are `keys`.
    document_request jwks = {};
    /// The keys of its `jwks_file`, see `read_key_set`. Null: they are fetched.
    std::shared_ptr<const key_set> keys = {};
};

/// What is remembered of a token that is verified.
enum class token_history : std::uint8_t {
    unknown,
    admitted, ///< it was good before: so its signature is verified even where the quota of signatures is used up
};

/// All issuers of an access file.
///
/// Flow: a gate makes one each time that it reads its file, and gives it the one before, whose fetched keys it takes
/// over; then it calls `fetch_keys()`, and `verify()` for each token of which it knows no digest.
/// Thread safety: all const members may be called from any thread, at the same time.
class issuers {
public:
    using time_point = std::chrono::system_clock::time_point;

    issuers() = default;
    /// `services`: not null. `before`: null at the first time.
    issuers(std::vector<issuer_settings> all, std::shared_ptr<issuer_services> services, const issuers* before);

    /// Begins to fetch the keys for which it is time.
    void fetch_keys(time_point now) const noexcept;

    /// Returns the verdict of the issuer that the token names; nothing where it is no JWT of one of these: then it may
    /// be somebody else's, and is else `invalid`. Costs little but for one signature at most, and that only where all
    /// else is right.
    std::optional<token_verdict> verify(std::string_view token, time_point now,
                                        token_history history = token_history::unknown) const noexcept;

    /// Whether the issuer of this name has the key still, as far as its keys are known now.
    bool may_have(std::string_view name, const verification_key& key, time_point now) const;

private:
    struct issuer {
        issuer_settings settings;
        std::shared_ptr<issuer_keys> fetched; // null where the file has the keys
    };

    const issuer* find(const object_members& claims) const;
    token_verdict judge(const issuer& by, const compact_jwt& token, time_point now, token_history history) const;
    std::shared_ptr<const key_set> keys_of(const issuer& by, time_point now) const;
    /// `admitted` with the key, or another outcome.
    token_verdict check_signature(const issuer& by, const compact_jwt& token, bool is_good, time_point now,
                                  token_history history) const;

    std::shared_ptr<issuer_services> services_;
    std::vector<issuer> all_;
};

} // namespace partyline::access
