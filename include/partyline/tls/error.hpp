#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

namespace partyline::tls {

/// The category of failures of TLS itself: the codes of OpenSSL's error queue, whose reason is
/// `ERR_GET_REASON(code.value())`.
/// Such as: "TLS: no application protocol", "TLS: tlsv1 alert unknown ca" (an alert comes from the peer).
PARTYLINE_EXPORT const boost::system::error_category& openssl_category() noexcept;

/// The category of reasons why the certificate of the peer was not accepted: OpenSSL's codes `X509_V_ERR_...`.
/// Such as: "the peer's certificate was not accepted: hostname mismatch".
PARTYLINE_EXPORT const boost::system::error_category& verification_category() noexcept;

} // namespace partyline::tls
