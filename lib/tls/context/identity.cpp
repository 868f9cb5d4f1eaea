#include "tls/context/identity.hpp"

#include "tls/context/pem_file.hpp"
#include "tls/engine/failure.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <openssl/x509v3.h>

namespace partyline::tls {
namespace {

std::string lower_case(const ASN1_STRING* text)
{
    const auto* const data = reinterpret_cast<const char*>(ASN1_STRING_get0_data(text));
    std::string result(data, static_cast<std::size_t>(ASN1_STRING_length(text)));
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

std::vector<std::string> common_names(const X509& certificate)
{
    std::vector<std::string> found;
    const X509_NAME* const subject = X509_get_subject_name(&certificate);
    for (int at = -1; (at = X509_NAME_get_index_by_NID(subject, NID_commonName, at)) >= 0;)
        found.push_back(lower_case(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at))));
    return found;
}

} // namespace

identity identity::read(const std::string& certificate_file, const std::string& key_file)
{
    identity result;
    result.chain = pem_file(certificate_file).certificates();
    result.certificate.reset(sk_X509_shift(result.chain.get()));
    result.key = pem_file(key_file).private_key();
    const bool fits = X509_check_private_key(result.certificate.get(), result.key.get()) == 1;
    forget_failures();
    if (!fits)
        throw std::invalid_argument(key_file + ": the key does not fit the certificate in " + certificate_file);
    return result;
}

void identity::use_in(SSL_CTX& context, const std::string& named) const
{
    forget_failures();
    if (SSL_CTX_use_cert_and_key(&context, certificate.get(), key.get(), chain.get(), 1) != 1)
        throw std::invalid_argument(named + ": the certificate can't be used: " + take_failure().message());
}

bool identity::use_in(SSL& connection) const noexcept
{
    return SSL_use_cert_and_key(&connection, certificate.get(), key.get(), chain.get(), 1) == 1;
}

std::vector<std::string> identity::host_names() const
{
    const names_pointer all(
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate.get(), NID_subject_alt_name, nullptr, nullptr)));
    std::vector<std::string> found;
    for (int i = 0; i < sk_GENERAL_NAME_num(all.get()); ++i) {
        const GENERAL_NAME* const one = sk_GENERAL_NAME_value(all.get(), i);
        if (one->type == GEN_DNS)
            found.push_back(lower_case(one->d.dNSName));
    }
    return found.empty() ? common_names(*certificate) : found;
}

} // namespace partyline::tls
