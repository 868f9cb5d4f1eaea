#pragma once

#include <partyline/protocol/error.hpp>
#include <partyline/session/memory_budget.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace gateway {

class attached_client;

/// Bounds what clients make the gateway keep (greetings, levels, URIs, names of requests), in bytes: for each client,
/// and for all together by a budget. Each thing counts as its bytes and `overhead`.
///
/// Thread safety: none.
class kept_bytes {
public:
    static constexpr std::size_t most_of_one = std::size_t(1) << 20;
    static constexpr std::size_t overhead = 128; // of what holds it

    /// The bytes of one thing, which are given back with this.
    class share {
    public:
        share() = default;
        share(share&& other) noexcept
            : of_(std::exchange(other.of_, nullptr)), client_(other.client_), bytes_(other.bytes_)
        {
        }
        share& operator=(share&& other) noexcept
        {
            std::swap(of_, other.of_);
            std::swap(client_, other.client_);
            std::swap(bytes_, other.bytes_);
            return *this;
        }
        ~share();

        /// Whether there was room.
        explicit operator bool() const noexcept { return of_ != nullptr; }

    private:
        friend class kept_bytes;

        kept_bytes* of_ = nullptr;
        const attached_client* client_ = nullptr;
        std::size_t bytes_ = 0;
    };

    /// `all` bounds the bytes of all clients, also those of other servers; null: there is no such bound.
    explicit kept_bytes(std::shared_ptr<partyline::memory_budget> all) noexcept : all_(std::move(all)) {}
    kept_bytes(const kept_bytes&) = delete;
    kept_bytes& operator=(const kept_bytes&) = delete;

    /// Takes so many for a client; null: for what several clients use, as if they were one. Empty where there is no
    /// room. This outlives it.
    share take(const attached_client* by, std::size_t bytes);
    /// Why the client was given no share for this many bytes of `what`, which begins the text.
    partyline::error_object refusal(const attached_client* by, std::size_t bytes, std::string_view what) const;

private:
    std::size_t left_of(const attached_client* by) const;
    void give_back(const attached_client* by, std::size_t bytes) noexcept;

    std::shared_ptr<partyline::memory_budget> all_;
    std::unordered_map<const attached_client*, std::size_t> taken_;
};

/// The part of a budget of all that is for what is kept so; null where there is none.
std::shared_ptr<partyline::memory_budget> part_for_kept(const std::shared_ptr<partyline::memory_budget>& all);

} // namespace gateway
