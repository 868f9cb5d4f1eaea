#include "tls/engine/failure.hpp"

#include <string>

#include <openssl/err.h>
#include <openssl/x509_vfy.h>

namespace partyline::tls {
namespace {

class openssl_errors final : public boost::system::error_category {
public:
    const char* name() const noexcept override { return "partyline.tls"; }

    std::string message(int code) const override
    {
        const char* const reason = ERR_reason_error_string(static_cast<unsigned long>(code));
        return "TLS: " + (reason ? std::string(reason) : "error " + std::to_string(code) + " of OpenSSL");
    }
};

class verification_errors final : public boost::system::error_category {
public:
    const char* name() const noexcept override { return "partyline.tls.verification"; }

    std::string message(int code) const override
    {
        return std::string("the peer's certificate was not accepted: ") + X509_verify_cert_error_string(code);
    }
};

} // namespace

error_code take_failure() noexcept
{
    const unsigned long first = ERR_get_error();
    ERR_clear_error();
    if (first == 0)
        return {};
    if (ERR_SYSTEM_ERROR(first))
        return {ERR_GET_REASON(first), boost::system::system_category()};
    return {static_cast<int>(first), openssl_category()};
}

void forget_failures() noexcept
{
    ERR_clear_error();
}

const boost::system::error_category& openssl_category() noexcept
{
    static const openssl_errors instance;
    return instance;
}

const boost::system::error_category& verification_category() noexcept
{
    static const verification_errors instance;
    return instance;
}

} // namespace partyline::tls
