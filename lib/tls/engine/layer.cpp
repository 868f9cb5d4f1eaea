#include "tls/engine/layer.hpp"

#include "tls/engine/failure.hpp"
#include "tls/engine/subject.hpp"

#include <boost/asio/error.hpp>

#include <utility>

#include <openssl/err.h>

namespace asio = boost::asio;

namespace partyline::tls {
namespace {

constexpr long modes = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS;

// Each of 1,200 key updates costs as much as a small request; a hundred session tickets are far less.
constexpr std::size_t max_without_data = std::size_t(32) << 10;

} // namespace

layer::layer(ssl_pointer ssl, int descriptor, std::string_view first, std::shared_ptr<const void> kept)
    : kept_(std::move(kept)), wire_(descriptor, first), ssl_(std::move(ssl))
{
    SSL_set_mode(ssl_.get(), modes);
    SSL_set_read_ahead(ssl_.get(), 1); // else each record takes two calls of the system
    BIO* const both = wire_.make_bio().release();
    SSL_set_bio(ssl_.get(), both, both);
}

error_code layer::handshake()
{
    if (fatal_)
        return fatal_;
    forget_failures();
    wire_.begin_turn();
    const int result = SSL_do_handshake(ssl_.get());
    if (result == 1) {
        is_established_ = true;
        is_drained_ = false;
        read_needs_ = need::read;
        write_needs_ = need::write;
        return {};
    }
    const error_code failed = why_failed(result, read_needs_);
    write_needs_ = read_needs_;
    is_drained_ = true;
    return failed;
}

std::size_t layer::read_some(asio::mutable_buffer target, error_code& failed)
{
    failed = !is_established_ ? handshake() : end_ ? end_ : fatal_;
    if (!failed && std::exchange(must_yield_, false))
        failed = asio::error::would_block;
    if (failed)
        return 0;
    wire_.begin_turn();
    const std::size_t sum = read_records(target, failed);
    bound_records(sum, failed);
    if (sum != 0)
        failed = {};
    return sum;
}

// OpenSSL reads a record at a time, of which there may be many. What the last of them fails with is told by the next
// call, and kept for it: of a reset the system tells once, and only of the end behind it again.
std::size_t layer::read_records(asio::mutable_buffer target, error_code& failed) noexcept
{
    std::size_t sum = 0;
    while (!failed && target.size() != 0) {
        const std::size_t count = read_record(target, failed);
        wire_.note_data(count);
        sum += count;
        target += count;
        if (!has_pending())
            break;
    }
    return sum;
}

std::size_t layer::read_record(asio::mutable_buffer target, error_code& failed) noexcept
{
    std::size_t count = 0;
    forget_failures();
    const int result = SSL_read_ex(ssl_.get(), target.data(), target.size(), &count);
    is_drained_ = result != 1;
    if (is_drained_)
        failed = why_failed(result, read_needs_);
    if (failed != asio::error::would_block)
        end_ = failed;
    return count;
}

// OpenSSL itself bounds empty records in a row, and not key updates, session tickets and offers to renegotiate. Where a
// little data is among them they cost time all the same, which others are to have between two reads.
void layer::bound_records(std::size_t data, error_code& failed) noexcept
{
    must_yield_ = data != 0 && wire_.is_turn_over();
    without_data_ = data != 0 ? 0 : without_data_ + wire_.ahead();
    if (failed == asio::error::would_block && without_data_ > max_without_data)
        failed = end_ = fatal_ = errc::no_data;
}

// OpenSSL writes a record at a time. What fails with records written before it is tried again by the next call.
std::size_t layer::write_some(asio::const_buffer source, error_code& failed)
{
    std::size_t sum = 0;
    failed = is_established_ ? fatal_ : handshake();
    wire_.begin_turn();
    while (!failed && source.size() != 0) {
        const std::size_t count = write_record(source, failed);
        sum += count;
        source += count;
    }
    if (sum != 0)
        failed = {};
    return sum;
}

std::size_t layer::write_record(asio::const_buffer source, error_code& failed) noexcept
{
    std::size_t count = 0;
    forget_failures();
    const int result = SSL_write_ex(ssl_.get(), source.data(), source.size(), &count);
    if (result != 1)
        failed = why_failed(result, write_needs_);
    return count;
}

// Nobody is to wait for the socket where a read would give something at once: a record that has come as a whole, or how
// it all has ended. Of a record that has come in part a read would give nothing: whoever was sent for that would come
// again and again.
bool layer::has_pending() const noexcept
{
    return end_ || (!fatal_ && !is_drained_ && (wire_.has_first() || SSL_has_pending(ssl_.get()) == 1));
}

void layer::close_send() noexcept
{
    if (!is_established_ || fatal_)
        return;
    forget_failures();
    SSL_shutdown(ssl_.get());
    forget_failures();
}

error_code layer::why_failed(int result, need& needs) noexcept
{
    switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ: needs = need::read; return asio::error::would_block;
    case SSL_ERROR_WANT_WRITE: needs = need::write; return asio::error::would_block;
    case SSL_ERROR_ZERO_RETURN: return asio::error::eof;
    case SSL_ERROR_SYSCALL: return wire_.failure() ? wire_.failure() : error_code(errc::stream_truncated);
    default: return fatal_ = fatal_failure();
    }
}

// A refused certificate has words of its own, and all that OpenSSL's queue tells is that it was refused.
error_code layer::fatal_failure() noexcept
{
    const error_code failed = take_failure();
    const bool is_refused =
        failed.category() == openssl_category() &&
        ERR_GET_REASON(static_cast<unsigned long>(failed.value())) == SSL_R_CERTIFICATE_VERIFY_FAILED;
    const long verification = SSL_get_verify_result(ssl_.get());
    if (is_refused && verification != X509_V_OK)
        return {static_cast<int>(verification), verification_category()};
    return failed ? failed : error_code(asio::error::connection_aborted);
}

std::string layer::peer_subject() const
{
    const bool is_verified = is_established_ && SSL_get_verify_mode(ssl_.get()) != SSL_VERIFY_NONE &&
                             SSL_get_verify_result(ssl_.get()) == X509_V_OK;
    const X509* const certificate = is_verified ? SSL_get0_peer_certificate(ssl_.get()) : nullptr;
    return certificate ? subject_of(*certificate) : std::string();
}

} // namespace partyline::tls
