#pragma once

#include "access/digest.hpp"

#include <algorithm>
#include <array>

namespace partyline::access {

/// What a peer has shown, by its digest: that of a token is no certificate's, whatever its text.
using credential = std::array<unsigned char, 33>;

/// The first byte of a credential.
enum class credential_kind : unsigned char { none, token, certificate, user, signer };

inline credential make_credential(credential_kind kind, const token_digest& digest = {}) noexcept
{
    credential made = {static_cast<unsigned char>(kind)};
    std::copy(digest.begin(), digest.end(), made.begin() + 1);
    return made;
}

inline token_digest digest_in(const credential& shown) noexcept
{
    token_digest digest;
    std::copy(shown.begin() + 1, shown.end(), digest.begin());
    return digest;
}

} // namespace partyline::access
