#pragma once

#include "tls/engine/openssl.hpp"

#include <string>

namespace partyline::tls {

/// A file in PEM, read as a whole and wiped in the end: it may hold a key.
///
/// What is wrong with one is thrown with a text that names the file: `boost::system::system_error` for one that can't
/// be read, `std::invalid_argument` for one that does not hold what it should.
class pem_file {
public:
    explicit pem_file(std::string path);
    pem_file(const pem_file&) = delete;
    pem_file& operator=(const pem_file&) = delete;
    ~pem_file();

    /// All certificates that it holds, at least one.
    certificates_pointer certificates() const;
    key_pointer private_key() const;

private:
    bio_pointer reader() const;

    std::string path_;
    std::string text_;
};

} // namespace partyline::tls
