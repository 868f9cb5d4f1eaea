#include "mcp/state/hmac.hpp"

#include <climits>
#include <stdexcept>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

namespace partyline::mcp {
namespace {

const unsigned char* unsigned_bytes(std::string_view text)
{
    static constexpr unsigned char none = 0;
    return text.empty() ? &none : reinterpret_cast<const unsigned char*>(text.data());
}

int key_size(std::string_view key)
{
    if (key.size() > INT_MAX)
        throw std::invalid_argument("A key for HMAC-SHA256 may have 2147483647 bytes at most.");
    return static_cast<int>(key.size());
}

} // namespace

sha256_digest sha256(std::string_view text)
{
    sha256_digest digest = {};
    auto* const out = reinterpret_cast<unsigned char*>(digest.data());
    if (EVP_Digest(unsigned_bytes(text), text.size(), out, nullptr, EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("SHA-256 is not to be had from libcrypto.");
    return digest;
}

sha256_digest hmac_sha256(std::string_view key, std::string_view text)
{
    sha256_digest code = {};
    auto* const out = reinterpret_cast<unsigned char*>(code.data());
    if (!HMAC(EVP_sha256(), unsigned_bytes(key), key_size(key), unsigned_bytes(text), text.size(), out, nullptr))
        throw std::runtime_error("HMAC-SHA256 is not to be had from libcrypto.");
    return code;
}

bool are_equal_in_constant_time(std::string_view a, std::string_view b) noexcept
{
    return a.size() == b.size() && CRYPTO_memcmp(unsigned_bytes(a), unsigned_bytes(b), a.size()) == 0;
}

std::string random_bytes(std::size_t count)
{
    std::string bytes(count, '\0');
    if (count > INT_MAX || RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1)
        throw std::runtime_error("The system gives no random bytes.");
    return bytes;
}

} // namespace partyline::mcp
