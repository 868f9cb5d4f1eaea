#pragma once

#include "access/file/name_pattern.hpp"
#include "protocol/json/random_seed.hpp"
#include "protocol/json/text_hash.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace partyline::access {

/// Under a secret seed, so that nobody finds names that collide.
struct name_hash {
    std::uint64_t seed = random_seed();
    std::size_t operator()(std::string_view text) const noexcept { return hash_text(text, seed); }
};

/// Finds the patterns that fit a name, without looking at each: every pattern is a slot, and a slot knows the longest
/// prefix among the others that fits whatever it fits. So what fits a name is one slot and those above it.
///
/// Flow: `add()` each pattern, which says its slot; `finish()`; then `find()`.
/// Thread safety: `find` may be called from any thread.
class name_table {
public:
    using slot = std::uint32_t;
    static constexpr slot none = UINT32_MAX;

    /// Returns its slot, the same for the same pattern. The pattern lives as long as the table.
    slot add(const name_pattern& pattern);
    void finish();

    std::size_t size() const noexcept { return above_.size(); }
    /// The slot of the longest prefix that fits all names of this slot, other than itself; it is a slot that `order()`
    /// has before this one.
    slot above(slot of) const noexcept { return above_[of]; }
    /// All slots, each behind the one above it.
    const std::vector<slot>& order() const noexcept { return order_; }

    /// The slot that fits a name best: its own, or that of the longest prefix; `none` where no pattern fits.
    slot find(std::string_view name) const noexcept
    {
        const auto found = exact_.find(name);
        return found != exact_.end() ? found->second : find_prefix(name);
    }

private:
    struct prefix {
        std::string_view text;
        slot is;
    };

    slot find_prefix(std::string_view name) const noexcept;

    std::unordered_map<std::string_view, slot, name_hash> exact_;
    std::unordered_map<std::string_view, slot, name_hash> prefix_slots_; // only while patterns are added
    std::vector<prefix> prefixes_;                                       // sorted
    std::vector<std::uint32_t> prefix_above_; // of each of these, by index: the longest that it begins with
    std::vector<slot> above_;
    std::vector<slot> order_;
};

} // namespace partyline::access
