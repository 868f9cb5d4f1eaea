#include "tls/engine/wire.hpp"

#include "tls/engine/failure.hpp"
#include "transport/errno_code.hpp"

#include <algorithm>

#include <sys/socket.h>

namespace partyline::tls {

bool wire::note_failure() noexcept
{
    const bool must_wait = errno == EAGAIN || errno == EWOULDBLOCK;
    if (!must_wait)
        failure_ = errno_code();
    return must_wait;
}

int wire::take_first(char* target, std::size_t size) noexcept
{
    const std::size_t count = first_.copy(target, size);
    first_.erase(0, count);
    if (first_.empty())
        std::string().swap(first_);
    return static_cast<int>(count);
}

int wire::read(char* target, std::size_t size, bool& must_wait) noexcept
{
    if (has_first()) [[unlikely]]
        return take_first(target, size);
    failure_ = {};
    must_wait = is_turn_over();
    if (must_wait)
        return -1;
    ssize_t count = 0;
    do
        count = ::recv(descriptor_, target, size, MSG_DONTWAIT);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        must_wait = note_failure();
    else
        ahead_ += static_cast<std::size_t>(count);
    return static_cast<int>(count);
}

int wire::write(const char* source, std::size_t size, bool& must_wait) noexcept
{
    failure_ = {};
    ssize_t count = 0;
    do
        count = ::send(descriptor_, source, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        must_wait = note_failure();
    return static_cast<int>(count);
}

/// How OpenSSL calls a wire.
struct wire_calls {
    static int read(BIO* bio, char* target, int size) noexcept
    {
        BIO_clear_retry_flags(bio);
        bool must_wait = false;
        const int count = of(bio).read(target, static_cast<std::size_t>(std::max(size, 0)), must_wait);
        if (must_wait)
            BIO_set_retry_read(bio);
        return count;
    }

    static int write(BIO* bio, const char* source, int size) noexcept
    {
        BIO_clear_retry_flags(bio);
        bool must_wait = false;
        const int count = of(bio).write(source, static_cast<std::size_t>(std::max(size, 0)), must_wait);
        if (must_wait)
            BIO_set_retry_write(bio);
        return count;
    }

    // Nothing is kept back, so there is nothing to flush. Whether the socket is at its end is not told (BIO_CTRL_EOF):
    // OpenSSL would then spoil the connection for writing too, while the peer may still read.
    static long control(BIO*, int command, long, void*) noexcept { return command == BIO_CTRL_FLUSH ? 1 : 0; }

    static int create(BIO* bio) noexcept
    {
        BIO_set_init(bio, 1);
        return 1;
    }

    static BIO_METHOD* make_method() noexcept
    {
        BIO_METHOD* const method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "partyline wire");
        if (method) {
            BIO_meth_set_read(method, read);
            BIO_meth_set_write(method, write);
            BIO_meth_set_ctrl(method, control);
            BIO_meth_set_create(method, create);
        }
        return method;
    }

    static wire& of(BIO* bio) noexcept { return *static_cast<wire*>(BIO_get_data(bio)); }
};

bio_pointer wire::make_bio()
{
    static BIO_METHOD* const method = made(wire_calls::make_method()); // as long as the program
    bio_pointer bio = made(bio_pointer(BIO_new(method)));
    BIO_set_data(bio.get(), this);
    return bio;
}

} // namespace partyline::tls
