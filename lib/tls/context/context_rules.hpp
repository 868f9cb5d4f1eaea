#pragma once

#include "tls/engine/openssl.hpp"

#include <partyline/tls/version.hpp>

#include <string>
#include <vector>

namespace partyline::tls {

/// An SSL_CTX with what both sides have in common.
ssl_ctx_pointer make_context(const SSL_METHOD* method, version minimum);

/// Names of protocols as ALPN has them on the wire (RFC 7301 §3.1). Throws `std::invalid_argument` for an empty one and
/// for one of more than 255 bytes.
std::string alpn_list(const std::vector<std::string>& names);

/// As OpenSSL takes them.
inline const unsigned char* bytes_of(const std::string& text) noexcept
{
    return reinterpret_cast<const unsigned char*>(text.data());
}

/// Trusts what these certificates have signed. Throws `std::bad_alloc`.
void trust(SSL_CTX& context, const STACK_OF(X509) & authorities);

} // namespace partyline::tls
