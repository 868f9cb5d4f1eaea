#pragma once

#include "protocol/json/scanner.hpp"

#include <cstddef>
#include <vector>

namespace partyline {

/// Notices objects whose names collide in Boost.JSON's hash table, before that is built. There each name is compared
/// with those before it that fell into the same bucket, so names that were chosen to do so take quadratic time.
///
/// The table hashes by FNV-1a or, from Boost 1.90 on, by MurmurHash64A, salted with its own address: see
/// table_digest.hpp. What a peer can't know of that does not help: how the digests of two names of one family differ
/// depends on a few of the salt's bits alone. So some names, taken at random, are put into buckets under each salt that
/// makes a difference. Where too many of a family meet, all names are, and only what that shows is refused: chance does
/// not refuse anything. How the buckets of families lie to each other depends on all of the address, which a peer may
/// have found out: there the worst case counts. From Boost 1.90 on, who has found out the address of a table that is
/// yet to be made can make names for that one table, which are not noticed.
///
/// Flow: `add()` each name of an object but the first `unwatched`, in order, objects within objects as they come;
/// `end_object()` when one of more members than these has ended.
class name_watch {
public:
    static constexpr std::size_t unwatched = 32;
    /// How many names each name may be compared with on average, where they are of few lengths. Names that nobody has
    /// chosen to collide need less than three; each takes 47 instructions, and a member 400 to 700 without them.
    static constexpr std::size_t max_comparisons = 24;

    /// `name` is where it stands in the text, from its opening quote on.
    void add(const char* name) { names_.push_back(name); }

    /// Whether the names of the innermost object collide, which has so many members. `scan` is what has read them.
    bool end_object(std::size_t members, scanner& scan);

    void forget() noexcept { names_.clear(); }

private:
    std::vector<const char*> names_; // of the objects that are open
};

} // namespace partyline
