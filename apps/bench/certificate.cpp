#include "certificate.hpp"

#include "failure.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace bench {
namespace {

using key_pointer = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using certificate_pointer = std::unique_ptr<X509, decltype(&X509_free)>;

void must_be(bool right)
{
    if (!right)
        throw failure("no certificate can be made for TLS");
}

std::filesystem::path make_folder()
{
    std::string name = (std::filesystem::temp_directory_path() / "partyline-bench-XXXXXX").string();
    must_be(::mkdtemp(name.data()) != nullptr);
    return name;
}

void add_extension(X509& to, int name, const char* value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, &to, &to, nullptr, nullptr, 0);
    X509_EXTENSION* const made = X509V3_EXT_conf_nid(nullptr, &context, name, value);
    must_be(made && X509_add_ext(&to, made, -1) == 1);
    X509_EXTENSION_free(made);
}

certificate_pointer sign_itself(EVP_PKEY& key)
{
    constexpr long day = 24L * 3600;
    certificate_pointer made(X509_new(), X509_free);
    must_be(made != nullptr);
    X509_set_version(made.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -day);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), day);
    X509_set_pubkey(made.get(), &key);
    const auto* const name = reinterpret_cast<const unsigned char*>("partyline-bench");
    X509_NAME* const subject = X509_get_subject_name(made.get());
    must_be(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1);
    X509_set_issuer_name(made.get(), subject);
    add_extension(*made, NID_subject_alt_name, "IP:127.0.0.1");
    must_be(X509_sign(made.get(), &key, EVP_sha256()) != 0);
    return made;
}

template <class Write>
void write_file(const std::string& path, Write write)
{
    std::FILE* const file = std::fopen(path.c_str(), "w");
    must_be(file != nullptr);
    const bool is_written = write(file) == 1;
    must_be(std::fclose(file) == 0 && is_written);
}

} // namespace

certificate::certificate() : folder_(make_folder())
{
    const key_pointer key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    must_be(key != nullptr);
    const certificate_pointer made = sign_itself(*key);
    write_file(file(), [&](std::FILE* to) { return PEM_write_X509(to, made.get()); });
    write_file(key_file(), [&](std::FILE* to) {
        return PEM_write_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
}

certificate::~certificate()
{
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

} // namespace bench
