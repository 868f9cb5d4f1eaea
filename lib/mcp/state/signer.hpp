#pragma once

#include "mcp/state/hmac.hpp"

#include <partyline/mcp/server/state_keys.hpp>

#include <string_view>
#include <vector>

namespace partyline::mcp {

/// Signs texts of one purpose, and tells whether one of the secrets has signed a text. Each purpose has keys of its
/// own, so that nothing that was signed for one passes for another.
///
/// Thread safety: all is const, and may be used by several threads at once.
class signer {
public:
    signer(const state_keys& keys, std::string_view purpose);

    sha256_digest sign(std::string_view text) const;
    /// `code` may be the beginning of one, of 16 bytes at least.
    bool has_signed(std::string_view text, std::string_view code) const;

private:
    std::vector<sha256_digest> keys_;
};

} // namespace partyline::mcp
