#include "name_watch.hpp"

#include "random_seed.hpp"
#include "text_hash.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>

namespace partyline {
namespace {

using names = std::span<const char* const>;

std::uint64_t secret()
{
    static const std::uint64_t seed = random_seed();
    return seed;
}

/// Decodes names again.
class name_reader {
public:
    explicit name_reader(scanner& scan) noexcept : scan_(scan) {}

    std::string_view operator()(const char* name)
    {
        std::string_view decoded;
        scan_.read_string(name, decoded, memory_);
        return decoded;
    }

private:
    scanner& scan_;
    std::string memory_;
};

constexpr std::size_t salts = 16;

// As Boost.JSON computes it, signed characters included.
constexpr bool is_64_bit = sizeof(std::size_t) == 8;
constexpr auto fnv_prime = static_cast<std::size_t>(is_64_bit ? 0x100000001B3 : 0x01000193);
constexpr auto fnv_basis = static_cast<std::size_t>(is_64_bit ? 0xcbf29ce484222325 : 0x811C9DC5);

constexpr std::size_t first_digest(std::size_t salt) noexcept
{
    constexpr auto some_table = static_cast<std::size_t>(is_64_bit ? 0x7f5a3c42b000 : 0xb7c42000);
    return fnv_basis + some_table + salt * 16;
}

constexpr std::size_t add_to_digest(std::size_t digest, char c) noexcept
{
    return (static_cast<std::size_t>(c) ^ digest) * fnv_prime;
}

using digests = std::array<std::size_t, salts>;

digests digest_under_each_salt(std::string_view name) noexcept
{
    digests all;
    for (std::size_t salt = 0; salt != salts; ++salt)
        all[salt] = first_digest(salt);
    for (const char c : name)
        for (std::size_t& digest : all)
            digest = add_to_digest(digest, c);
    return all;
}

std::size_t digest_of(std::string_view name, std::size_t salt) noexcept
{
    std::size_t digest = first_digest(salt);
    for (const char c : name)
        digest = add_to_digest(digest, c);
    return digest;
}

// Steps of random length: which names these are differs from object to object.
std::vector<digests> take_sample(names all, name_reader read)
{
    static std::atomic<std::uint64_t> last = 0;
    constexpr double longest_step = 64;
    const double step = std::min(longest_step, 1.5 * std::sqrt(static_cast<double>(all.size())));
    const auto range = static_cast<std::uint64_t>(2 * step);
    std::uint64_t random = fold(secret() ^ last.fetch_add(1, std::memory_order_relaxed), 0x9e3779b97f4a7c15);
    std::vector<digests> sample;
    sample.reserve(static_cast<std::size_t>(1.5 * static_cast<double>(all.size()) / step));
    for (std::size_t at = random % range; at < all.size(); at += 1 + (random >> 32) % range) {
        sample.push_back(digest_under_each_salt(read(all[at])));
        random = fold(random ^ secret(), 0x9e3779b97f4a7c15);
    }
    return sample;
}

/// How often each of a few buckets was met.
class bucket_counts {
public:
    explicit bucket_counts(std::size_t most)
        : counts_(std::bit_ceil(2 * most + 1)), shift_(64 - std::bit_width(counts_.size() - 1))
    {
    }

    void clear() { std::fill(counts_.begin(), counts_.end(), count()); }

    /// How often this one was before.
    std::size_t add(std::size_t bucket)
    {
        std::size_t at = (bucket * (secret() | 1)) >> shift_;
        while (counts_[at].times != 0 && counts_[at].bucket != bucket)
            at = (at + 1) & (counts_.size() - 1);
        counts_[at].bucket = static_cast<std::uint32_t>(bucket);
        return counts_[at].times++;
    }

private:
    struct count {
        std::uint32_t bucket = 0;
        std::uint32_t times = 0;
    };

    std::vector<count> counts_;
    int shift_;
};

/// Whether each name is one that was not there before.
std::vector<bool> find_new(names all, name_reader read)
{
    std::vector<bool> is_new(all.size());
    std::vector<std::uint64_t> seen(std::bit_ceil(2 * all.size()));
    for (std::size_t i = 0; i != all.size(); ++i) {
        const std::uint64_t hash = hash_text(read(all[i]), secret()) | 1; // 0: nothing there
        std::size_t at = (hash >> 1) & (seen.size() - 1);
        while (seen[at] != 0 && seen[at] != hash)
            at = (at + 1) & (seen.size() - 1);
        is_new[i] = seen[at] == 0;
        seen[at] = hash;
    }
    return is_new;
}

/// How many comparisons it takes to enter all of them. Who comes again is not compared with more than stand in his bucket.
std::uint64_t count_comparisons(names all, const std::vector<bool>& is_new, std::size_t buckets, std::size_t salt,
                                name_reader read)
{
    std::vector<std::uint32_t> entered(buckets);
    std::uint64_t comparisons = 0;
    for (std::size_t i = 0; i != all.size(); ++i) {
        std::uint32_t& here = entered[digest_of(read(all[i]), salt) % buckets];
        comparisons += here;
        here += is_new[i];
    }
    return comparisons;
}

/// Whether the sample has half as many meetings as there would be if it were as bad as may just be.
bool is_suspicious(const std::vector<digests>& sample, std::size_t salt, bucket_counts& met, std::size_t count,
                   std::size_t buckets)
{
    std::uint64_t meetings = 0;
    met.clear();
    for (const digests& digest : sample)
        meetings += met.add(digest[salt] % buckets);
    return meetings * count * 2 > name_watch::most_comparisons * sample.size() * sample.size();
}

bool do_collide(names all, std::size_t buckets, scanner& scan)
{
    const name_reader read(scan);
    const std::vector<digests> sample = take_sample(all, read);
    bucket_counts met(sample.size());
    std::vector<bool> is_new;
    for (std::size_t salt = 0; salt != salts; ++salt) {
        if (!is_suspicious(sample, salt, met, all.size(), buckets))
            continue;
        if (is_new.empty())
            is_new = find_new(all, read);
        if (count_comparisons(all, is_new, buckets, salt, read) > name_watch::most_comparisons * all.size())
            return true;
    }
    return false;
}

} // namespace

bool name_watch::end_object(std::size_t members, scanner& scan)
{
    const std::size_t watched = members - unwatched;
    const std::size_t outer = names_.size() - watched;
    const bool can_be_too_many = watched > 2 * most_comparisons; // each with half of the others
    const bool found = can_be_too_many && do_collide(names(names_).subspan(outer), members, scan);
    names_.resize(outer);
    return found;
}

} // namespace partyline
