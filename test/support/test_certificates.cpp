#include "support/test_certificates.hpp"

#include "tls/engine/openssl.hpp"

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <utility>

#include <openssl/pem.h>
#include <openssl/rsa.h>

namespace partyline::test {
namespace {

using tls::certificate_pointer;
using tls::key_pointer;

template <class Owner>
Owner must(Owner made)
{
    if (!made)
        throw std::runtime_error("OpenSSL makes no test certificate");
    return made;
}

void must_be(bool right)
{
    if (!right)
        throw std::runtime_error("OpenSSL makes no test certificate");
}

key_pointer make_key(key_type type)
{
    return must(key_pointer(type == key_type::rsa ? EVP_RSA_gen(2048) : EVP_EC_gen("P-256")));
}

void add_extension(X509& certificate, X509& issuer, int name, const std::string& value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
    X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, name, value.c_str());
    must_be(extension && X509_add_ext(&certificate, extension, -1) == 1);
    X509_EXTENSION_free(extension);
}

std::string names_of(const certificate_text& text)
{
    std::string all;
    for (const std::string& host : text.hosts)
        all += (all.empty() ? "DNS:" : ",DNS:") + host;
    for (const std::string& address : text.addresses)
        all += (all.empty() ? "IP:" : ",IP:") + address;
    return all;
}

// Whose subject, key and validity it has; without an issuer or a signature.
certificate_pointer begin_certificate(const std::string& common_name, EVP_PKEY& key, validity valid)
{
    static long serial = 0;
    constexpr long day = 24L * 3600;
    certificate_pointer made = must(certificate_pointer(X509_new()));
    X509_set_version(made.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -2 * day);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), valid == validity::over ? -day : day);
    X509_set_pubkey(made.get(), &key);
    const auto* const text = reinterpret_cast<const unsigned char*>(common_name.c_str());
    must_be(X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_UTF8, text, -1, -1, 0) == 1);
    return made;
}

void write_pem(const std::string& path, X509* certificate, EVP_PKEY* key)
{
    std::FILE* const file = std::fopen(path.c_str(), "w");
    must_be(file != nullptr);
    const bool is_written = certificate ? PEM_write_X509(file, certificate) == 1
                                        : PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr) == 1;
    must_be(std::fclose(file) == 0 && is_written);
}

} // namespace

struct test_certificates::authority {
    explicit authority(const std::string& name) : certificate(begin_certificate(name, *key, validity::now))
    {
        X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate.get()));
        add_extension(*certificate, *certificate, NID_basic_constraints, "critical,CA:TRUE");
        add_extension(*certificate, *certificate, NID_key_usage, "critical,keyCertSign,cRLSign");
        must_be(X509_sign(certificate.get(), key.get(), EVP_sha256()) != 0);
    }

    key_pointer key = make_key(key_type::elliptic);
    certificate_pointer certificate;
};

test_certificates::test_certificates()
    : trusted_(std::make_unique<authority>("Trusted Test CA")), unknown_(std::make_unique<authority>("Unknown Test CA"))
{
    write_pem(trusted_ca(), trusted_->certificate.get(), nullptr);
    write_pem(unknown_ca(), unknown_->certificate.get(), nullptr);
}

test_certificates::~test_certificates() = default;

std::string test_certificates::trusted_ca() const
{
    return path("trusted_ca.pem");
}

std::string test_certificates::unknown_ca() const
{
    return path("unknown_ca.pem");
}

tls::certificate_files test_certificates::make(const std::string& name, const certificate_text& text) const
{
    const key_pointer key = make_key(text.key);
    const certificate_pointer made = begin_certificate(text.common_name, *key, text.valid);
    const authority& by = text.signed_by == signer::unknown ? *unknown_ : *trusted_;
    const bool is_own = text.signed_by == signer::itself;
    X509& issuer = is_own ? *made : *by.certificate;
    X509_set_issuer_name(made.get(), X509_get_subject_name(&issuer));
    if (const std::string names = names_of(text); !names.empty())
        add_extension(*made, issuer, NID_subject_alt_name, names);
    must_be(X509_sign(made.get(), is_own ? key.get() : by.key.get(), EVP_sha256()) != 0);

    tls::certificate_files files{path(name + ".pem"), path(name + ".key")};
    write_pem(files.certificate_file, made.get(), nullptr);
    write_pem(files.key_file, nullptr, key.get());
    return files;
}

tls::certificate_files test_certificates::make_local(const std::string& name) const
{
    return make(name, {.common_name = "local", .hosts = {"localhost"}, .addresses = {"127.0.0.1", "::1"}});
}

std::string test_certificates::write(const std::string& file, const std::string& text) const
{
    std::ofstream(path(file)) << text;
    return path(file);
}

} // namespace partyline::test
