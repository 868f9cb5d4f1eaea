#pragma once

#include "tls/engine/openssl.hpp"

#include <string>
#include <vector>

namespace partyline::tls {

/// A certificate with its chain and its key: who one side of a connection is.
struct identity {
    certificate_pointer certificate;
    certificates_pointer chain; // up to its root, which may be left out
    key_pointer key;

    /// Reads it from PEM files; throws as `pem_file` does, also where the key is another's.
    static identity read(const std::string& certificate_file, const std::string& key_file);

    /// In place of those that the object has for keys of this type. Throws `std::invalid_argument` where OpenSSL does
    /// not take it: its key is too short, say.
    void use_in(SSL_CTX& context, const std::string& named) const;
    bool use_in(SSL& connection) const noexcept;

    /// The host names that it is for, in lower case: "example.org", "*.example.org". A certificate that names none as
    /// such has its common name.
    std::vector<std::string> host_names() const;
};

} // namespace partyline::tls
