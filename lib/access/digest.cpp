#include "access/digest.hpp"

#include "access/openssl.hpp"

namespace partyline::access {
namespace {

/// Of each thread: to look the algorithm up, and to make a context, takes longer than to digest a token. Where there
/// was no memory for them the next digest tries again.
struct digester {
    openssl_pointer<EVP_MD> algorithm;
    openssl_pointer<EVP_MD_CTX> context;

    bool prepare() noexcept
    {
        if (!algorithm)
            algorithm.reset(EVP_MD_fetch(nullptr, "SHA256", nullptr));
        if (!context)
            context.reset(EVP_MD_CTX_new());
        return algorithm && context;
    }
};

int value_of(char digit) noexcept
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    const char lower = static_cast<char>(digit | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

} // namespace

std::optional<token_digest> digest_of(std::string_view text) noexcept
{
    thread_local digester own;
    token_digest digest = {};
    if (!own.prepare() || EVP_DigestInit_ex2(own.context.get(), own.algorithm.get(), nullptr) != 1 ||
        EVP_DigestUpdate(own.context.get(), text.data(), text.size()) != 1 ||
        EVP_DigestFinal_ex(own.context.get(), digest.data(), nullptr) != 1)
        return std::nullopt;
    return digest;
}

std::string hex_of(const token_digest& digest, std::size_t digits)
{
    static constexpr char alphabet[] = "0123456789abcdef";
    std::string text;
    text.reserve(digits);
    for (std::size_t i = 0; i < digits; ++i)
        text += alphabet[i % 2 == 0 ? digest[i / 2] >> 4 : digest[i / 2] & 15];
    return text;
}

std::optional<token_digest> read_hex(std::string_view digits) noexcept
{
    token_digest digest = {};
    if (digits.size() != 2 * digest.size())
        return std::nullopt;
    for (std::size_t i = 0; i < digest.size(); ++i) {
        const int high = value_of(digits[2 * i]);
        const int low = value_of(digits[2 * i + 1]);
        if (high < 0 || low < 0)
            return std::nullopt;
        digest[i] = static_cast<unsigned char>(high << 4 | low);
    }
    return digest;
}

} // namespace partyline::access
