#include "tls_wire.hpp"

#include "failure.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace wire_client {
namespace {

[[noreturn]] void fail(const std::string& what)
{
    char reason[256] = "no reason told";
    if (const unsigned long code = ERR_get_error(); code != 0)
        ERR_error_string_n(code, reason, sizeof reason);
    throw failure(what + ": " + reason);
}

int to_int(std::size_t size)
{
    return static_cast<int>(std::min<std::size_t>(size, INT_MAX));
}

} // namespace

// Ten thousand connections are not to hold buffers here that nobody measures.
tls_client::tls_client(const std::string& certificate_file) : context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free)
{
    if (!context_ || SSL_CTX_set_min_proto_version(get(), TLS1_3_VERSION) != 1 ||
        SSL_CTX_load_verify_file(get(), certificate_file.c_str()) != 1)
        fail(certificate_file + " is no certificate to trust");
    SSL_CTX_set_verify(get(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_mode(get(),
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(get(), SSL_SESS_CACHE_OFF);
}

tls_wire::tls_wire(const tls_client& by, int socket) : connection_(SSL_new(by.get()), SSL_free)
{
    SSL* const own = connection_.get();
    if (!own || SSL_set_fd(own, socket) != 1 || X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(own), "127.0.0.1") != 1)
        fail("a TLS connection of the client");
    ERR_clear_error();
    if (SSL_connect(own) != 1)
        fail("does not shake hands for TLS");
}

ssize_t tls_wire::send(std::string_view text)
{
    ERR_clear_error();
    return result(SSL_write(connection_.get(), text.data(), to_int(text.size())));
}

ssize_t tls_wire::recv(char* to, std::size_t size)
{
    ERR_clear_error();
    return result(SSL_read(connection_.get(), to, to_int(size)));
}

ssize_t tls_wire::result(int count)
{
    if (count > 0)
        return count;
    switch (SSL_get_error(connection_.get(), count)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE: errno = EAGAIN; return -1;
    case SSL_ERROR_ZERO_RETURN: return 0;
    default: errno = EPROTO; return -1;
    }
}

} // namespace wire_client
