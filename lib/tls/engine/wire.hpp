#pragma once

#include "tls/engine/openssl.hpp"

#include <partyline/protocol/errc.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::tls {

/// The socket below a TLS connection, as OpenSSL reads from it and writes to it: never waiting, and without SIGPIPE, which
/// OpenSSL's own way raises. What has been read from the socket before comes first.
///
/// It stays where it is while there is a BIO of it.
/// Thread safety: none.
class wire {
public:
    wire(int descriptor, std::string_view first) : descriptor_(descriptor), first_(first) {}
    wire(const wire&) = delete;
    wire& operator=(const wire&) = delete;

    /// Throws `std::bad_alloc`.
    bio_pointer make_bio();

    bool has_first() const noexcept { return !first_.empty(); }
    /// What the system has failed with last. No error: where OpenSSL blames the system, the socket has come to its end.
    error_code failure() const noexcept { return failure_; }

private:
    friend struct wire_calls;

    // Bytes that were moved; 0: the end; -1: failed. `must_wait`: for want of readiness.
    int read(char* target, std::size_t size, bool& must_wait) noexcept;
    int write(const char* source, std::size_t size, bool& must_wait) noexcept;
    int take_first(char* target, std::size_t size) noexcept;
    bool note_failure() noexcept;

    const int descriptor_;
    std::string first_;
    error_code failure_;
};

} // namespace partyline::tls
