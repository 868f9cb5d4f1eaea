#include "tls/context/context_rules.hpp"

#include "tls/engine/failure.hpp"

#include <stdexcept>

namespace partyline::tls {

ssl_ctx_pointer make_context(const SSL_METHOD* method, version minimum)
{
    ssl_ctx_pointer context = made(ssl_ctx_pointer(SSL_CTX_new(method)));
    SSL_CTX_set_min_proto_version(context.get(), minimum == version::tls_1_3 ? TLS1_3_VERSION : TLS1_2_VERSION);
    SSL_CTX_set_options(context.get(), SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_clear_options(context.get(), SSL_OP_IGNORE_UNEXPECTED_EOF); // whatever the system's configuration says
    SSL_CTX_set_mode(context.get(), SSL_MODE_NO_AUTO_CHAIN);            // what is in the file is what is sent
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
    return context;
}

std::string alpn_list(const std::vector<std::string>& names)
{
    std::string list;
    for (const std::string& name : names) {
        if (name.empty() || name.size() > 255)
            throw std::invalid_argument("a protocol's name for ALPN has between 1 and 255 bytes, and not " +
                                        std::to_string(name.size()));
        list += static_cast<char>(static_cast<unsigned char>(name.size()));
        list += name;
    }
    return list;
}

void trust(SSL_CTX& context, const STACK_OF(X509) & authorities)
{
    X509_STORE* const store = SSL_CTX_get_cert_store(&context);
    for (int i = 0; i < sk_X509_num(&authorities); ++i)
        if (X509_STORE_add_cert(store, sk_X509_value(&authorities, i)) != 1)
            throw std::bad_alloc();
}

} // namespace partyline::tls
