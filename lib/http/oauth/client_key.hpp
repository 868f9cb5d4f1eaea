#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

using EVP_PKEY = struct evp_pkey_st; // of OpenSSL

namespace partyline::http {

/// A private key by which a client proves who it is: RSA of 2048 bits or more, P-256, P-384, Ed25519.
class client_key {
public:
    /// Reads PEM without a passphrase. Throws `std::invalid_argument` for anything else.
    static client_key read(std::string_view pem);

    /// The name of the signature that it makes (RFC 7518 §3.1), one of `taken` where that names any. Empty: none of
    /// them is one of this key.
    std::string_view algorithm(const std::vector<std::string>& taken) const noexcept;
    /// A JWS of a header and claims (RFC 7515 §7.1). Throws `std::system_error` where libcrypto does not sign.
    std::string sign(std::string_view algorithm, std::string_view header, std::string_view claims) const;

private:
    explicit client_key(std::shared_ptr<EVP_PKEY> key, std::vector<std::string_view> algorithms)
        : key_(std::move(key)), algorithms_(std::move(algorithms))
    {
    }

    std::shared_ptr<EVP_PKEY> key_;
    std::vector<std::string_view> algorithms_; // the first is the usual one
};

} // namespace partyline::http
