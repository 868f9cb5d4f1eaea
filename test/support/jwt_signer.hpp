#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

using EVP_PKEY = struct evp_pkey_st; // of OpenSSL

namespace partyline::test {

/// An issuer's private key, made anew, which signs whatever it is given.
class jwt_signer {
public:
    /// `algorithm`: RS256, PS256, ES256, ES384 or EdDSA. `bits`: of an RSA key.
    explicit jwt_signer(std::string algorithm, std::string id = "k1", std::size_t bits = 2048);

    const std::string& algorithm() const noexcept { return algorithm_; }
    /// The header that its tokens have.
    std::string header() const;
    /// Its public part, with its id. `more`: members to put into it: `,"use":"sig"`.
    std::string jwk(std::string_view more = "") const;
    std::string pem() const;
    /// The key itself.
    std::string private_pem() const;
    /// The signature as JWS has it.
    std::string sign(std::string_view text) const;
    /// The same as OpenSSL has it: of ECDSA in DER.
    std::string sign_as_der(std::string_view text) const;

    /// A token in compact form.
    std::string token(std::string_view claims) const { return token(header(), claims); }
    std::string token(std::string_view header, std::string_view claims) const;

private:
    std::string number(const char* name, std::size_t bytes = 0) const;

    std::string algorithm_;
    std::string id_;
    std::shared_ptr<EVP_PKEY> key_;
};

/// A set of keys, of their JWKs.
std::string jwks(std::initializer_list<std::string> keys);

} // namespace partyline::test
