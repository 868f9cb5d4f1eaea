#pragma once

#include "tls/engine/openssl.hpp"

#include <partyline/protocol/errc.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::tls {

/// The socket below a TLS connection, as OpenSSL reads from it and writes to it: never waiting, and without SIGPIPE,
/// which OpenSSL's own way raises. What has been read from the socket before comes first.
///
/// A turn takes at most `max_ahead` bytes, and what OpenSSL reads at once, from the socket before data comes of them:
/// then the socket counts as empty. OpenSSL goes on reading as long as records come that are its own, such as key
/// updates, and a peer that sends them fast enough would keep it for ever.
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

    void begin_turn() noexcept { ahead_ = 0; }
    /// What has been read has given so many bytes of data.
    void note_data(std::size_t count) noexcept { ahead_ -= std::min(ahead_, count); }
    /// The bytes that were read from the socket in this turn, and have given no data.
    std::size_t ahead() const noexcept { return ahead_; }
    bool is_turn_over() const noexcept { return ahead_ >= max_ahead; }

    bool has_first() const noexcept { return !first_.empty(); }
    /// What the system has failed with last. No error: where OpenSSL blames the system, the socket has come to its end.
    error_code failure() const noexcept { return failure_; }

private:
    static constexpr std::size_t max_ahead = std::size_t(16) << 10; // a record
    friend struct wire_calls;

    // Bytes that were moved; 0: the end; -1: failed. `must_wait`: for want of readiness.
    int read(char* target, std::size_t size, bool& must_wait) noexcept;
    int write(const char* source, std::size_t size, bool& must_wait) noexcept;
    int take_first(char* target, std::size_t size) noexcept;
    bool note_failure() noexcept;

    const int descriptor_;
    std::string first_;
    std::size_t ahead_ = 0;
    error_code failure_;
};

} // namespace partyline::tls
