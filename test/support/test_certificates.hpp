#pragma once

#include "support/scratch_directory.hpp"

#include <partyline/tls/server_options.hpp>

#include <memory>
#include <string>
#include <vector>

namespace partyline::test {

/// Who has signed a certificate: the authority that tests trust, one that nobody does, or its owner.
enum class signer { trusted, unknown, itself };
enum class validity { now, over };
enum class key_type { elliptic, rsa };

/// What a certificate says.
struct certificate_text {
    std::string common_name;
    std::vector<std::string> hosts = {};
    std::vector<std::string> addresses = {};
    signer signed_by = signer::trusted;
    validity valid = validity::now;
    key_type key = key_type::elliptic;
};

/// Certificates that are made when a test needs them, as PEM files in a directory that goes away with the test.
class test_certificates {
public:
    test_certificates();
    ~test_certificates();

    /// The files of the authorities' own certificates.
    std::string trusted_ca() const;
    std::string unknown_ca() const;

    /// Makes one, with its key, in files of that name; what was there by that name is replaced.
    tls::certificate_files make(const std::string& name, const certificate_text& text) const;
    /// For localhost by name and by both its addresses.
    tls::certificate_files make_local(const std::string& name = "local") const;

    std::string path(const std::string& file) const { return (directory_ / file).string(); }
    /// Writes a file of the test's own, and returns its path.
    std::string write(const std::string& file, const std::string& text) const;

private:
    struct authority;

    scratch_directory directory_;
    std::unique_ptr<authority> trusted_;
    std::unique_ptr<authority> unknown_;
};

} // namespace partyline::test
