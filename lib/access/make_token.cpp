#include "access/digest.hpp"
#include "protocol/json/base64.hpp"

#include <partyline/access/gate.hpp>

#include <system_error>

#include <openssl/crypto.h>
#include <openssl/rand.h>

namespace partyline::access {
namespace {

[[noreturn]] void throw_no_cryptography()
{
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                            "libcrypto makes no random token");
}

} // namespace

new_token make_token()
{
    char bytes[32];
    if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes), sizeof bytes) != 1)
        throw_no_cryptography();
    new_token made = {encode_base64url({bytes, sizeof bytes}), {}};
    OPENSSL_cleanse(bytes, sizeof bytes);
    const auto digest = digest_of(made.token);
    if (!digest)
        throw_no_cryptography();
    made.sha256 = hex_of(*digest);
    return made;
}

} // namespace partyline::access
