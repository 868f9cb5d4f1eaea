#include "tls/context/pem_file.hpp"

#include "session/owned_descriptor.hpp"
#include "tls/engine/failure.hpp"
#include "transport/errno_code.hpp"

#include <boost/system/system_error.hpp>

#include <climits>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <unistd.h>

namespace partyline::tls {
namespace {

// No certificates or keys take more; what is no such file is not read to its end.
constexpr std::size_t max_size = std::size_t(64) << 20;

[[noreturn]] void throw_errno(const std::string& path)
{
    const error_code failed = errno_code();
    throw boost::system::system_error(failed, "can't read " + path);
}

[[noreturn]] void throw_content(const std::string& path, const std::string& what)
{
    throw std::invalid_argument(path + ": " + what);
}

// Reserved beforehand: a string that grows leaves copies of its text behind.
std::string read_whole(const std::string& path)
{
    const owned_descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0)
        throw_errno(path);
    const ::off_t expected = ::lseek(file.get(), 0, SEEK_END);
    ::lseek(file.get(), 0, SEEK_SET);
    std::string text;
    text.reserve(expected > 0 && std::size_t(expected) < max_size ? std::size_t(expected) + 1 : 0);
    char piece[4096];
    ::ssize_t count = 0;
    while ((count = ::read(file.get(), piece, sizeof piece)) > 0 && text.size() < max_size)
        text.append(piece, static_cast<std::size_t>(count));
    const bool has_failed = count < 0;
    OPENSSL_cleanse(piece, sizeof piece);
    if (has_failed)
        throw_errno(path);
    if (text.size() >= max_size)
        throw_content(path, "the file is too long to be one of certificates or a key");
    return text;
}

// A program that serves has nobody to ask.
int refuse_passphrase(char*, int, int, void* was_asked)
{
    *static_cast<bool*>(was_asked) = true;
    return -1;
}

} // namespace

pem_file::pem_file(std::string path) : path_(std::move(path)), text_(read_whole(path_)) {}

pem_file::~pem_file()
{
    OPENSSL_cleanse(text_.data(), text_.size());
}

bio_pointer pem_file::reader() const
{
    forget_failures();
    return made(bio_pointer(BIO_new_mem_buf(text_.data(), static_cast<int>(text_.size()))));
}

certificates_pointer pem_file::certificates() const
{
    const bio_pointer from = reader();
    certificates_pointer all = made(certificates_pointer(sk_X509_new_null()));
    while (certificate_pointer next{PEM_read_bio_X509(from.get(), nullptr, nullptr, nullptr)}) {
        if (sk_X509_push(all.get(), next.get()) == 0)
            throw std::bad_alloc();
        next.release();
    }
    const unsigned long why = ERR_peek_last_error();
    const bool is_end = ERR_GET_LIB(why) == ERR_LIB_PEM && ERR_GET_REASON(why) == PEM_R_NO_START_LINE;
    const error_code failed = take_failure();
    if (!is_end)
        throw_content(path_, "a certificate in it can't be read: " + failed.message());
    if (sk_X509_num(all.get()) == 0)
        throw_content(path_, "there is no certificate in PEM in it");
    return all;
}

key_pointer pem_file::private_key() const
{
    const bio_pointer from = reader();
    bool was_asked = false;
    key_pointer key(PEM_read_bio_PrivateKey(from.get(), nullptr, refuse_passphrase, &was_asked));
    forget_failures();
    if (!key && was_asked)
        throw_content(path_, "the private key needs a passphrase; take one without");
    if (!key)
        throw_content(path_, "there is no private key in PEM in it");
    return key;
}

} // namespace partyline::tls
