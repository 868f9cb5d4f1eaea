#include "tls/context/server_state.hpp"

#include "tls/context/context_rules.hpp"
#include "tls/context/pem_file.hpp"
#include "tls/engine/failure.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <stdexcept>
#include <utility>

namespace partyline::tls {
namespace {

// Until the second change of keys, and no longer than what OpenSSL can count.
long ticket_seconds(std::chrono::steady_clock::duration lifetime)
{
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(lifetime).count();
    constexpr long week = 7L * 24 * 3600; // RFC 8446 §4.6.1
    return seconds < week / 2 ? 2 * std::max<long>(seconds, 1) : week;
}

} // namespace

server_state::server_state(const server_options& options, std::shared_ptr<ticket_keys> tickets)
    : tickets_(std::move(tickets)), alpn_(alpn_list(options.alpn)),
      context_(make_context(TLS_server_method(), options.minimum_version))
{
    if (options.certificates.empty())
        throw std::invalid_argument("a TLS server needs a certificate");
    set_up(options);
    use_certificates(options);
    if (options.adjust)
        options.adjust(*context_);
}

void server_state::set_up(const server_options& options)
{
    SSL_CTX* const context = context_.get();
    if (options.client_ca_file.empty())
        issue_tickets(options.ticket_lifetime);
    else
        ask_clients(options);
    SSL_CTX_set_max_early_data(context, 0);
    SSL_CTX_set_tlsext_servername_callback(context, on_server_name);
    SSL_CTX_set_tlsext_servername_arg(context, this);
    if (!alpn_.empty())
        SSL_CTX_set_alpn_select_cb(context, on_alpn, this);
}

void server_state::issue_tickets(std::chrono::steady_clock::duration lifetime)
{
    tickets_->attach_to(*context_);
    SSL_CTX_set_timeout(context_.get(), ticket_seconds(lifetime));
}

// OpenSSL has one certificate for each type of key. The first one is used; the others are only tried, so that a bad one
// is told now, and not to a client.
void server_state::use_certificates(const server_options& options)
{
    ssl_ctx_pointer trial;
    for (const certificate_files& files : options.certificates) {
        identity entry = identity::read(files.certificate_file, files.key_file);
        entry.use_in(trial ? *trial : *context_, files.certificate_file);
        identities_.add(std::move(entry));
        if (!trial && options.certificates.size() > 1)
            trial = make_context(TLS_server_method(), options.minimum_version);
    }
}

// No tickets: by one, a client is known without its certificate, and the ticket is renewed at each connection, so that
// neither the certificate's end nor a list of revoked ones would ever reach it.
void server_state::ask_clients(const server_options& options)
{
    SSL_CTX_set_options(context_.get(), SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(context_.get(), 0);
    const certificates_pointer authorities = pem_file(options.client_ca_file).certificates();
    trust(*context_, *authorities);
    for (int i = 0; i < sk_X509_num(authorities.get()); ++i)
        if (SSL_CTX_add_client_CA(context_.get(), sk_X509_value(authorities.get(), i)) != 1)
            throw std::bad_alloc();
    const bool is_required = options.clients == client_certificates::required;
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER | (is_required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), nullptr);
}

int server_state::on_server_name(SSL* ssl, int*, void* self) noexcept
{
    return static_cast<const server_state*>(self)->choose_certificate(*ssl);
}

int server_state::choose_certificate(SSL& ssl) const noexcept
{
    const char* const name = SSL_get_servername(&ssl, TLSEXT_NAMETYPE_host_name);
    if (!name)
        return SSL_TLSEXT_ERR_NOACK;
    const auto& found = identities_.find(name);
    if (found.empty())
        return SSL_TLSEXT_ERR_NOACK; // the default's certificate tells the client who this is
    SSL_certs_clear(&ssl);
    for (auto entry = found.rbegin(); entry != found.rend(); ++entry) // of two for one type of key the first one counts
        if (!identities_.at(*entry).use_in(ssl))
            return SSL_TLSEXT_ERR_ALERT_FATAL;
    return SSL_TLSEXT_ERR_OK;
}

int server_state::on_alpn(SSL*, const unsigned char** chosen, unsigned char* chosen_size, const unsigned char* offered,
                          unsigned int offered_size, void* self) noexcept
{
    const std::string& ours = static_cast<const server_state*>(self)->alpn_;
    unsigned char* found = nullptr;
    const int result = SSL_select_next_proto(&found, chosen_size, bytes_of(ours),
                                             static_cast<unsigned int>(ours.size()), offered, offered_size);
    *chosen = found;
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

} // namespace partyline::tls
