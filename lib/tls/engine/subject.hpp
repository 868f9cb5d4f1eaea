#pragma once

#include <string>

#include <openssl/x509.h>

namespace partyline::tls {

/// The subject of a certificate in RFC 2253's form: "CN=alice,O=Example". What is no plain ASCII there is escaped.
std::string subject_of(const X509& certificate);

} // namespace partyline::tls
