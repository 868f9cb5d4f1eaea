#include "tls/engine/subject.hpp"

#include "tls/engine/failure.hpp"
#include "tls/engine/openssl.hpp"

namespace partyline::tls {

std::string subject_of(const X509& certificate)
{
    const bio_pointer text = made(bio_pointer(BIO_new(BIO_s_mem())));
    if (X509_NAME_print_ex(text.get(), X509_get_subject_name(&certificate), 0, XN_FLAG_RFC2253) < 0)
        throw std::bad_alloc();
    char* begin = nullptr;
    const long size = BIO_get_mem_data(text.get(), &begin);
    return std::string(begin, static_cast<std::size_t>(size));
}

} // namespace partyline::tls
