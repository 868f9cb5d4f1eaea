#pragma once

#include "access/digest.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace partyline::access {

/// The nonce of a proof (`jti`).
using proof_nonce = std::array<unsigned char, 16>;

/// Remembers the nonces of proofs that were accepted, each until its proof is too old to be shown again: 65,536, and
/// 4,096 of one signer. None is forgotten before its time, whatever comes and however the clock is set.
///
/// Thread safety: all members may be called from any thread, at the same time.
class seen_nonces {
public:
    using clock = std::chrono::system_clock;

    static constexpr std::size_t max_nonces = 65'536;
    static constexpr std::size_t max_of_signer = 4'096;

    enum class result : std::uint8_t {
        is_new,   ///< it is remembered now
        replayed, ///< it is one that is remembered
        outdated, ///< it may have been forgotten: the clock was ahead, and has been set back
        full      ///< there is no room; what comes a little later may find some
    };

    /// What `enter()` would say.
    result look(std::string_view signer, const proof_nonce& nonce, clock::time_point end, clock::time_point now);
    /// Enters the nonce of a proof that is good until `end`, which is later than `now`. Throws `std::bad_alloc`; then
    /// it is not remembered.
    result enter(std::string_view signer, const proof_nonce& nonce, clock::time_point end, clock::time_point now);

    std::size_t size() const;

    /// The one of this process: whichever of its gates has accepted a proof, no other one does so again.
    static seen_nonces& of_process() noexcept;

private:
    using second = std::int64_t;
    struct signer_record {
        std::uint32_t number = 0;
        std::size_t nonces = 0;
    };
    using signers = std::unordered_map<std::string, signer_record>;                     // the file names them
    using key = std::array<unsigned char, sizeof(std::uint32_t) + sizeof(proof_nonce)>; // the signer's number and it

    result find(signers::iterator of, const proof_nonce& nonce, second last) const;
    static key key_of(const signer_record& by, const proof_nonce& nonce) noexcept;
    void add(signers::value_type& by, const proof_nonce& nonce, second last);
    void forget(second now) noexcept;
    void forget(const key& one) noexcept;

    mutable std::mutex mutex_;
    signers signers_; // those of which a nonce is here
    std::unordered_map<key, signers::value_type*, bytes_hash> nonces_;
    std::map<second, std::vector<key>> by_end_;
    std::uint32_t last_number_ = 0;
    second forgotten_until_ = INT64_MIN; // the last end of those that were forgotten
};

} // namespace partyline::access
