#pragma once

#include <array>
#include <chrono>
#include <mutex>
#include <optional>

#include <openssl/ssl.h>

namespace partyline::tls {

/// The keys that a server encrypts session tickets with: one for new tickets, which is changed after its lifetime, and
/// the one before, whose tickets are still taken and renewed. So nothing that a server keeps opens what it has said for
/// much longer.
///
/// Thread safety: safe.
class ticket_keys {
public:
    using clock = std::chrono::steady_clock;

    struct key {
        std::array<unsigned char, 16> name;
        std::array<unsigned char, 32> cipher;
        std::array<unsigned char, 32> mac;

        ~key();
    };

    explicit ticket_keys(clock::duration lifetime) noexcept : lifetime_(lifetime) {}

    /// For a new ticket. None: the system gives no random bytes.
    std::optional<key> newest(clock::time_point now) noexcept;
    /// For a ticket that bears this name. None: it is not, or no longer, one of ours.
    std::optional<key> find(const unsigned char* name, clock::time_point now) noexcept;
    bool is_newest(const key& known) const noexcept;

    /// Changes the key now.
    void rotate(clock::time_point now) noexcept;

    /// Has this context issue tickets by these keys, which outlive it.
    void attach_to(SSL_CTX& context);

private:
    void rotate_if_due(clock::time_point now) noexcept;
    void make_newest(clock::time_point now) noexcept;

    const clock::duration lifetime_;
    mutable std::mutex mutex_;
    std::optional<key> newest_;
    std::optional<key> previous_;
    clock::time_point made_; // newest_
};

} // namespace partyline::tls
