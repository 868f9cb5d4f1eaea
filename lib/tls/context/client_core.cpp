#include "tls/context/client_core.hpp"

#include "tls/context/context_rules.hpp"
#include "tls/context/identity.hpp"
#include "tls/context/pem_file.hpp"
#include "tls/engine/failure.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <openssl/x509v3.h>

namespace partyline::tls {
namespace {

// "*.example.org" is for www.example.org; nothing is for it as a part of a label ("w*.example.org").
constexpr unsigned int name_rules = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS;

bool is_address(const std::string& host)
{
    error_code is_name;
    boost::asio::ip::make_address(host, is_name);
    return !is_name;
}

// In the DNS a dot at the end says that the name is complete; certificates and SNI have none (RFC 6066 §3).
std::string without_last_dot(std::string host)
{
    if (host.size() > 1 && host.ends_with('.'))
        host.pop_back();
    return host;
}

void expect_address(SSL& ssl, std::string address)
{
    address.resize(
        std::min(address.find('%'), address.size())); // the scope is the machine's own, and in no certificate
    if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(&ssl), address.c_str()) != 1)
        throw std::bad_alloc();
}

void expect_name(SSL& ssl, const std::string& name)
{
    if (name.empty() || name.size() > TLSEXT_MAXLEN_host_name)
        throw std::invalid_argument("a host's name has between 1 and 255 bytes");
    X509_VERIFY_PARAM* const rules = SSL_get0_param(&ssl);
    X509_VERIFY_PARAM_set_hostflags(rules, name_rules);
    const bool is_set = X509_VERIFY_PARAM_set1_host(rules, name.data(), name.size()) == 1 &&
                        SSL_set_tlsext_host_name(&ssl, name.c_str()) == 1;
    if (!is_set)
        throw std::bad_alloc();
}

} // namespace

client_core::client_core(client_options options)
    : options_(std::move(options)), context_(make_context(TLS_client_method(), options_.minimum_version))
{
    set_up();
    use_certificate();
    trust_authorities();
    if (options_.adjust)
        options_.adjust(*context_);
}

void client_core::set_up()
{
    SSL_CTX_set_verify(context_.get(), options_.verify == verify::none ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
    const std::string names = alpn_list(options_.alpn);
    const auto size = static_cast<unsigned int>(names.size());
    if (!names.empty() && SSL_CTX_set_alpn_protos(context_.get(), bytes_of(names), size) != 0)
        throw std::bad_alloc();
}

void client_core::use_certificate()
{
    if (options_.certificate_file.empty() != options_.key_file.empty())
        throw std::invalid_argument("a certificate needs its key, and a key its certificate");
    if (!options_.certificate_file.empty())
        identity::read(options_.certificate_file, options_.key_file).use_in(*context_, options_.certificate_file);
}

void client_core::trust_authorities()
{
    if (!options_.ca_file.empty())
        trust(*context_, *pem_file(options_.ca_file).certificates());
    else if (SSL_CTX_set_default_verify_paths(context_.get()) != 1)
        throw std::bad_alloc();
}

std::unique_ptr<layer> client_core::make_layer(int descriptor, const std::string& host,
                                               const std::vector<std::string>& usual) const
{
    if (host.find('\0') != host.npos) // resolvers see what stands before it
        throw std::invalid_argument("a host's name has no NUL in it");
    ssl_pointer ssl = made(ssl_pointer(SSL_new(context_.get())));
    SSL_set_connect_state(ssl.get());
    const std::string names = options_.alpn.empty() ? alpn_list(usual) : std::string();
    if (!names.empty() && SSL_set_alpn_protos(ssl.get(), bytes_of(names), static_cast<unsigned int>(names.size())) != 0)
        throw std::bad_alloc();
    if (is_address(host))
        expect_address(*ssl, host);
    else
        expect_name(*ssl, without_last_dot(host));
    return std::make_unique<layer>(std::move(ssl), descriptor, std::string_view(), shared_from_this());
}

} // namespace partyline::tls
