#include "tls/context/ticket_keys.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

namespace partyline::tls {
namespace {

int keys_index() noexcept
{
    static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
    return index;
}

bool fill(unsigned char* target, std::size_t size) noexcept
{
    return RAND_bytes(target, static_cast<int>(size)) == 1;
}

bool set_mac(EVP_MAC_CTX* mac, const ticket_keys::key& with) noexcept
{
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, const_cast<unsigned char*>(with.mac.data()),
                                          with.mac.size()),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, const_cast<char*>("SHA256"), 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, params) == 1;
}

// The results that OpenSSL wants of its callback.
enum : int { failed = -1, unknown = 0, usable = 1, to_be_renewed = 2 };

int encrypt_ticket(ticket_keys& keys, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac)
{
    const auto key = keys.newest(ticket_keys::clock::now());
    if (!key || !fill(iv, static_cast<std::size_t>(EVP_CIPHER_get_iv_length(EVP_aes_256_cbc()))))
        return failed;
    std::memcpy(name, key->name.data(), key->name.size());
    const bool is_ready = EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nullptr, key->cipher.data(), iv) == 1;
    return is_ready && set_mac(mac, *key) ? usable : failed;
}

int decrypt_ticket(ticket_keys& keys, const unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher,
                   EVP_MAC_CTX* mac)
{
    const auto key = keys.find(name, ticket_keys::clock::now());
    if (!key)
        return unknown;
    const bool is_ready = EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nullptr, key->cipher.data(), iv) == 1;
    if (!is_ready || !set_mac(mac, *key))
        return failed;
    return keys.is_newest(*key) ? usable : to_be_renewed;
}

int on_ticket(SSL* ssl, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac, int is_new)
{
    void* const keys = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), keys_index());
    ticket_keys& known = *static_cast<ticket_keys*>(keys);
    return is_new ? encrypt_ticket(known, name, iv, cipher, mac) : decrypt_ticket(known, name, iv, cipher, mac);
}

} // namespace

ticket_keys::key::~key()
{
    OPENSSL_cleanse(cipher.data(), cipher.size());
    OPENSSL_cleanse(mac.data(), mac.size());
}

std::optional<ticket_keys::key> ticket_keys::newest(clock::time_point now) noexcept
{
    const std::lock_guard lock(mutex_);
    rotate_if_due(now);
    if (!newest_)
        make_newest(now);
    return newest_;
}

std::optional<ticket_keys::key> ticket_keys::find(const unsigned char* name, clock::time_point now) noexcept
{
    const std::lock_guard lock(mutex_);
    rotate_if_due(now);
    for (const auto* candidate : {&newest_, &previous_})
        if (*candidate && std::equal((*candidate)->name.begin(), (*candidate)->name.end(), name))
            return *candidate;
    return {};
}

bool ticket_keys::is_newest(const key& known) const noexcept
{
    const std::lock_guard lock(mutex_);
    return newest_ && newest_->name == known.name;
}

void ticket_keys::rotate(clock::time_point now) noexcept
{
    const std::lock_guard lock(mutex_);
    previous_ = newest_;
    make_newest(now);
}

// A server that nobody has come to for long has two changes to make up for.
void ticket_keys::rotate_if_due(clock::time_point now) noexcept
{
    const auto age = now - made_;
    if (!newest_ || age < lifetime_)
        return;
    previous_ = age < 2 * lifetime_ ? newest_ : std::nullopt;
    make_newest(now);
}

void ticket_keys::make_newest(clock::time_point now) noexcept
{
    newest_.emplace();
    made_ = now;
    key& k = *newest_;
    const bool is_filled = fill(k.name.data(), k.name.size()) && fill(k.cipher.data(), k.cipher.size()) &&
                           fill(k.mac.data(), k.mac.size());
    if (!is_filled)
        newest_.reset();
}

void ticket_keys::attach_to(SSL_CTX& context)
{
    const bool is_attached = SSL_CTX_set_ex_data(&context, keys_index(), this) == 1 &&
                             SSL_CTX_set_tlsext_ticket_key_evp_cb(&context, on_ticket) == 1;
    if (!is_attached)
        throw std::bad_alloc();
}

} // namespace partyline::tls
