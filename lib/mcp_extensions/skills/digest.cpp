#include "mcp_extensions/skills/digest.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <stdexcept>

#include <openssl/evp.h>

namespace partyline::mcp::skills {
namespace {

constexpr std::string_view digest_prefix = "sha256:";
constexpr std::size_t digest_digits = 64;

const unsigned char* bytes_of(std::string_view text)
{
    static constexpr unsigned char none = 0;
    return text.empty() ? &none : reinterpret_cast<const unsigned char*>(text.data());
}

bool is_base64_digit(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

} // namespace

std::string digest_of(std::string_view bytes)
{
    std::array<unsigned char, 32> hash = {};
    if (EVP_Digest(bytes_of(bytes), bytes.size(), hash.data(), nullptr, EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("SHA-256 is not to be had from libcrypto.");
    constexpr char digits[] = "0123456789abcdef";
    std::string text(digest_prefix);
    for (const unsigned char byte : hash)
        text += {digits[byte >> 4], digits[byte & 15]};
    return text;
}

bool is_digest(std::string_view text) noexcept
{
    if (!text.starts_with(digest_prefix) || text.size() != digest_prefix.size() + digest_digits)
        return false;
    text.remove_prefix(digest_prefix.size());
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// libcrypto passes over spaces around the text, and decodes padding to bytes.
bool decode_base64(std::string_view text, std::string& bytes)
{
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    const std::string_view digits = text.substr(0, text.size() - padding);
    if (text.size() % 4 != 0 || text.size() > INT_MAX || !std::all_of(digits.begin(), digits.end(), is_base64_digit))
        return false;
    bytes.resize(text.size() / 4 * 3);
    if (text.empty())
        return true;
    auto* const out = reinterpret_cast<unsigned char*>(bytes.data());
    const int decoded = EVP_DecodeBlock(out, bytes_of(text), static_cast<int>(text.size()));
    if (decoded < 0)
        return false;
    bytes.resize(static_cast<std::size_t>(decoded) - padding);
    return true;
}

} // namespace partyline::mcp::skills
