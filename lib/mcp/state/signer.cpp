#include "mcp/state/signer.hpp"

#include <cstddef>

namespace partyline::mcp {
namespace {

constexpr std::size_t least_code = 16; // RFC 2104 §5: half of it, and 80 bits

} // namespace

signer::signer(const state_keys& keys, std::string_view purpose)
{
    for (const std::string& secret : keys.secrets())
        keys_.push_back(hmac_sha256(secret, purpose));
}

sha256_digest signer::sign(std::string_view text) const
{
    return hmac_sha256(bytes_of(keys_.front()), text);
}

bool signer::has_signed(std::string_view text, std::string_view code) const
{
    if (code.size() < least_code)
        return false;
    for (const sha256_digest& key : keys_) {
        const sha256_digest whole = hmac_sha256(bytes_of(key), text);
        if (are_equal_in_constant_time(bytes_of(whole).substr(0, code.size()), code))
            return true;
    }
    return false;
}

} // namespace partyline::mcp
