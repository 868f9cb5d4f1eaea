#pragma once

#include "access/tokens/issued_grant.hpp"
#include "access/tokens/lru_table.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>

namespace partyline::access {

/// The grants of known peers, by what these have shown: each for 5 minutes where somebody else than the file vouches
/// for the peer. It remembers 16,384.
///
/// Thread safety: all members may be called from any thread, at the same time; there are several locks, so that threads
/// rarely wait for each other.
class grant_book {
public:
    using time_point = std::chrono::system_clock::time_point;
    using grant_ptr = std::shared_ptr<const issued_grant>;

    static constexpr std::size_t max_grants = 16'384;
    static constexpr std::chrono::minutes lifetime{5};

    struct found_grant {
        /// Null where there is none.
        grant_ptr grant = {};
        /// Whether it holds as it is. What does not is to be looked at again, and stays where nothing has changed.
        bool is_valid = false;
    };

    found_grant find(const credential& shown, std::uint64_t epoch, time_point now) noexcept;
    /// The epoch of no reading.
    static constexpr std::uint64_t unchecked = 0;
    /// A grant that was looked at by an older reading does not take the place of another one. `checked_by`: the epoch
    /// of the reading by which the credentials were checked for it; `unchecked` where it was only renewed: then they
    /// are checked when they are shown again.
    void put(const grant_ptr& grant, std::uint64_t checked_by, time_point now);
    void erase(const credential& shown) noexcept;

    std::size_t size() const;

private:
    struct entry {
        grant_ptr grant = {};
        std::uint64_t checked_by = unchecked;
        time_point since = {};
        time_point until = {};
    };

    static constexpr std::size_t shard_count = 16;

    struct shard {
        mutable std::mutex mutex;
        lru_table<credential, entry, bytes_hash> grants{max_grants / shard_count};
    };

    shard& shard_of(const credential& shown) noexcept { return shards_[hash_(shown) % shard_count]; }

    const bytes_hash hash_;
    std::array<shard, shard_count> shards_;
};

} // namespace partyline::access
