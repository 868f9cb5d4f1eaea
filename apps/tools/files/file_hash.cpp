#include "file_hash.hpp"

#include "tools/tool_error.hpp"

#include <array>
#include <memory>

#include <openssl/evp.h>

namespace tools {
namespace {

void check_crypto(int result)
{
    if (result != 1)
        throw tool_error("libcrypto can't compute SHA-256");
}

std::string hexadecimal(const unsigned char* begin, std::size_t size)
{
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const unsigned char* byte = begin; byte != begin + size; ++byte) {
        text += digits[*byte >> 4];
        text += digits[*byte & 15];
    }
    return text;
}

} // namespace

file_hash hash_file(file_reader& file)
{
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    check_crypto(context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr));
    std::string piece(std::size_t(256) << 10, '\0');
    while (const std::size_t count = file.read(piece.data(), piece.size()))
        check_crypto(EVP_DigestUpdate(context.get(), piece.data(), count));
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned size = 0;
    check_crypto(EVP_DigestFinal_ex(context.get(), digest.data(), &size));
    return {hexadecimal(digest.data(), size), file.bytes_read()};
}

} // namespace tools
