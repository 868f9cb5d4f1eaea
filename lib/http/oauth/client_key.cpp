#include "http/oauth/client_key.hpp"

#include "protocol/json/base64.hpp"

#include <algorithm>
#include <climits>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

namespace partyline::http {
namespace {

struct key_deleter {
    void operator()(BIO* bytes) const noexcept { BIO_free(bytes); }
    void operator()(ECDSA_SIG* signature) const noexcept { ECDSA_SIG_free(signature); }
    void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
    void operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }
};

template <class Type>
using owned = std::unique_ptr<Type, key_deleter>;

// Takes the errors of libcrypto in this scope off the thread's queue, where the next TLS connection would find them.
struct key_error_mark {
    key_error_mark() noexcept { ERR_set_mark(); }
    ~key_error_mark() { ERR_pop_to_mark(); }
    key_error_mark(const key_error_mark&) = delete;
    key_error_mark& operator=(const key_error_mark&) = delete;
};

// Without it OpenSSL would ask for a passphrase on the terminal.
int no_passphrase(char*, int, int, void*)
{
    return -1;
}

std::string group_of(const EVP_PKEY& key)
{
    char name[64];
    std::size_t size = 0;
    if (EVP_PKEY_get_group_name(&key, name, sizeof name, &size) != 1)
        return {};
    return std::string(name, size);
}

std::vector<std::string_view> algorithms_of(const EVP_PKEY& key)
{
    constexpr int least_bits = 2048;
    if (EVP_PKEY_is_a(&key, "RSA") == 1 && EVP_PKEY_get_bits(&key) >= least_bits)
        return {"RS256", "PS256"};
    if (EVP_PKEY_is_a(&key, "ED25519") == 1)
        return {"EdDSA", "Ed25519"}; // the name since RFC 9864 comes second: fewer servers know it
    if (EVP_PKEY_is_a(&key, "EC") != 1)
        return {};
    const std::string group = group_of(key);
    if (group == "prime256v1")
        return {"ES256"};
    if (group == "secp384r1")
        return {"ES384"};
    return {};
}

std::optional<std::string> signature_of(EVP_PKEY& key, std::string_view algorithm, std::string_view text)
{
    const EVP_MD* const digest = algorithm.starts_with("Ed") ? nullptr
                                 : algorithm == "ES384"      ? EVP_sha384()
                                                             : EVP_sha256();
    const owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
    EVP_PKEY_CTX* with = nullptr; // the context's
    if (!context || EVP_DigestSignInit(context.get(), &with, digest, nullptr, &key) != 1)
        return std::nullopt;
    if (algorithm == "PS256" && (EVP_PKEY_CTX_set_rsa_padding(with, RSA_PKCS1_PSS_PADDING) != 1 ||
                                 EVP_PKEY_CTX_set_rsa_pss_saltlen(with, RSA_PSS_SALTLEN_DIGEST) != 1))
        return std::nullopt;
    std::string made(static_cast<std::size_t>(EVP_PKEY_get_size(&key)), '\0');
    std::size_t size = made.size();
    if (EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(made.data()), &size,
                       reinterpret_cast<const unsigned char*>(text.data()), text.size()) != 1)
        return std::nullopt;
    made.resize(size);
    return made;
}

// OpenSSL writes DER, JWS has r and s in as many bytes each as the curve's order has (RFC 7518 §3.4).
std::optional<std::string> halves_of(std::string_view der, int half)
{
    const auto* begin = reinterpret_cast<const unsigned char*>(der.data());
    const owned<ECDSA_SIG> read(d2i_ECDSA_SIG(nullptr, &begin, static_cast<long>(der.size())));
    std::string made(2 * static_cast<std::size_t>(half), '\0');
    auto* const to = reinterpret_cast<unsigned char*>(made.data());
    if (!read || BN_bn2binpad(ECDSA_SIG_get0_r(read.get()), to, half) != half ||
        BN_bn2binpad(ECDSA_SIG_get0_s(read.get()), to + half, half) != half)
        return std::nullopt;
    return made;
}

} // namespace

client_key client_key::read(std::string_view pem)
{
    const key_error_mark mark;
    constexpr std::size_t longest = 64 << 10;
    if (pem.size() > longest)
        throw std::invalid_argument("the client key is no PEM of a private key: it is too long");
    const owned<BIO> bytes(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    std::shared_ptr<EVP_PKEY> key(
        bytes ? PEM_read_bio_PrivateKey(bytes.get(), nullptr, no_passphrase, nullptr) : nullptr, key_deleter());
    if (!key)
        throw std::invalid_argument("the client key is no PEM of a private key without a passphrase");
    std::vector<std::string_view> algorithms = algorithms_of(*key);
    if (algorithms.empty())
        throw std::invalid_argument("the client key is not used: RSA of 2048 bits or more, P-256, P-384 or Ed25519 "
                                    "is expected");
    return client_key(std::move(key), std::move(algorithms));
}

std::string_view client_key::algorithm(const std::vector<std::string>& taken) const noexcept
{
    if (taken.empty())
        return algorithms_.front();
    for (const std::string_view one : algorithms_) {
        if (std::find(taken.begin(), taken.end(), one) != taken.end())
            return one;
    }
    return {};
}

std::string client_key::sign(std::string_view algorithm, std::string_view header, std::string_view claims) const
{
    const key_error_mark mark;
    const std::string text = encode_base64url(header) + '.' + encode_base64url(claims);
    std::optional<std::string> signature = signature_of(*key_, algorithm, text);
    if (signature && algorithm.starts_with("ES"))
        signature = halves_of(*signature, algorithm == "ES384" ? 48 : 32);
    if (!signature)
        throw std::system_error(std::make_error_code(std::errc::operation_not_permitted),
                                "libcrypto does not sign by the client key");
    return text + '.' + encode_base64url(*signature);
}

} // namespace partyline::http
