#pragma once

#include "access/digest.hpp"
#include "access/file/access_file.hpp"
#include "access/jwt/issuers.hpp"
#include "access/proof/proof.hpp"
#include "access/rules/view_book.hpp"
#include "access/tokens/credential.hpp"

#include <partyline/session/access_control.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sys/types.h>

namespace partyline::access {

// What peers show; nothing where libcrypto has no memory.
std::optional<credential> token_credential(std::string_view token) noexcept;
std::optional<credential> certificate_credential(std::string_view subject) noexcept;
std::optional<credential> user_credential(::uid_t uid) noexcept;
std::optional<credential> signer_credential(std::string_view id) noexcept;

/// One reading of the access file. Does not change.
class gate_state {
public:
    /// `before`: the reading that it takes the place of, of which it takes over what is the same; null for the first.
    /// `proofs`: checks those of its views.
    gate_state(access_file file, std::uint64_t epoch, const std::shared_ptr<issuer_services>& services,
               const std::shared_ptr<const proof_check>& proofs, const gate_state* before);

    /// Its number, from 1 on.
    std::uint64_t epoch() const noexcept { return epoch_; }
    const access_file& file() const noexcept { return file_; }
    const issuers& verifier() const noexcept { return verifier_; }
    const signer_set& signers() const noexcept { return signers_; }
    /// Null where all may be called.
    const std::shared_ptr<view_book>& views() const noexcept { return views_; }
    const std::shared_ptr<const protected_resource>& resource() const noexcept { return resource_; }

    /// A peer of the file.
    struct known_peer {
        const named_peer* peer;
        std::string_view source; // a literal
    };
    /// Whom the file makes of what was shown; nothing where it does not know that.
    std::optional<known_peer> find(const credential& shown) const noexcept;

    /// The text of an issuer in the file; null where there is none of this name.
    std::shared_ptr<const std::string> issuer_text(std::string_view issuer) const noexcept;

private:
    void know(const std::optional<credential>& shown, const named_peer& peer, std::string_view source);

    const access_file file_;
    const std::uint64_t epoch_;
    const issuers verifier_;
    const signer_set signers_;
    std::shared_ptr<view_book> views_;
    std::shared_ptr<const protected_resource> resource_;
    const named_peer anonymous_;
    std::unordered_map<credential, known_peer, bytes_hash> known_;
    std::vector<std::shared_ptr<const std::string>> issuer_texts_;
};

} // namespace partyline::access
