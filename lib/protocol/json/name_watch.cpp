#include "protocol/json/name_watch.hpp"

#include "protocol/json/random_seed.hpp"
#include "protocol/json/table_digest.hpp"
#include "protocol/json/text_hash.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

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

struct sampled_name {
    std::uint64_t family;
    table_digest::digests under;
};

// Steps of random length: which names these are differs from object to object.
std::vector<sampled_name> take_sample(names all, name_reader read)
{
    static std::atomic<std::uint64_t> last = 0;
    constexpr double longest_step = 64;
    const double step = std::min(longest_step, 1.5 * std::sqrt(static_cast<double>(all.size())));
    const auto range = static_cast<std::uint64_t>(2 * step);
    std::uint64_t random = fold(secret() ^ last.fetch_add(1, std::memory_order_relaxed), 0x9e3779b97f4a7c15);
    std::vector<sampled_name> sample;
    sample.reserve(static_cast<std::size_t>(1.5 * static_cast<double>(all.size()) / step));
    for (std::size_t at = random % range; at < all.size(); at += 1 + (random >> 32) % range) {
        const std::string_view name = read(all[at]);
        sample.push_back({table_digest::family_of(name), table_digest::under_each(name)});
        random = fold(random ^ secret(), 0x9e3779b97f4a7c15);
    }
    return sample;
}

/// How often each of a few buckets was met, each family by itself.
class bucket_counts {
public:
    explicit bucket_counts(std::size_t most)
        : counts_(std::bit_ceil(2 * most + 1)), shift_(64 - std::bit_width(counts_.size() - 1))
    {
    }

    void clear() { std::fill(counts_.begin(), counts_.end(), count()); }

    /// How often this one was before.
    std::size_t add(std::uint64_t family, std::size_t bucket)
    {
        const std::uint64_t key = family << 32 ^ bucket;
        std::size_t at = (key * (secret() | 1)) >> shift_;
        while (counts_[at].times != 0 && counts_[at].key != key)
            at = (at + 1) & (counts_.size() - 1);
        counts_[at].key = key;
        return counts_[at].times++;
    }

private:
    struct count {
        std::uint64_t key = 0;
        std::uint64_t times = 0;
    };

    std::vector<count> counts_;
    int shift_;
};

/// Adds up how many comparisons each name takes, in the worst case.
///
/// The buckets of each family are moved against those of the others by what a peer may know or not: at worst, the
/// fullest of all of them lie on each other. The sum of the squares of their loads is then, by Cauchy and Schwarz, at
/// most the square of the sum of the families' square roots.
class worst_case {
public:
    void add_family(double members, double comparisons)
    {
        members_ += members;
        roots_ += std::sqrt(members + 2 * comparisons);
        least_roots_ += std::sqrt(members);
    }

    /// For each name, as they are.
    double comparisons() const { return roots_ * roots_ / (2 * members_); }
    /// For each name, if those of a family never met. No choice of names has more than there are lengths, and long
    /// names are paid for by the byte.
    double least() const { return least_roots_ * least_roots_ / (2 * members_); }
    double most() const { return std::max(double(name_watch::max_comparisons), 4 * least()); }

private:
    double members_ = 0;
    double roots_ = 0;
    double least_roots_ = 0;
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

using by_family = std::vector<std::pair<std::uint64_t, std::size_t>>; // and which name

by_family sort_by_family(names all, name_reader read)
{
    by_family sorted;
    sorted.reserve(all.size());
    for (std::size_t i = 0; i != all.size(); ++i)
        sorted.emplace_back(table_digest::family_of(read(all[i])), i);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

/// What it takes to enter all of them. Who comes again is not compared with more than stand in his bucket.
worst_case count_comparisons(names all, const by_family& sorted, const std::vector<bool>& is_new, std::size_t buckets,
                             std::size_t salt, name_reader read)
{
    worst_case whole;
    std::vector<std::uint32_t> entered(buckets);
    for (auto first = sorted.begin(); first != sorted.end();) {
        const auto last =
            std::find_if(first, sorted.end(), [&](const auto& other) { return other.first != first->first; });
        std::uint64_t comparisons = 0;
        for (auto name = first; name != last; ++name) {
            std::uint32_t& here = entered[table_digest::under(read(all[name->second]), salt) % buckets];
            comparisons += here;
            here += is_new[name->second];
        }
        whole.add_family(double(last - first), double(comparisons));
        for (; first != last; ++first)
            entered[table_digest::under(read(all[first->second]), salt) % buckets] = 0;
    }
    return whole;
}

/// How many comparisons within its family a name may take on average, where all families are alike.
double allowed_in_family(const std::vector<sampled_name>& sample)
{
    std::vector<std::uint64_t> families(sample.size());
    std::transform(sample.begin(), sample.end(), families.begin(), [](const sampled_name& n) { return n.family; });
    std::sort(families.begin(), families.end());
    worst_case none;
    for (auto first = families.begin(); first != families.end();) {
        const auto last = std::upper_bound(first, families.end(), *first);
        none.add_family(double(last - first), 0);
        first = last;
    }
    return (none.most() / none.least() - 1) / 2;
}

/// Whether the sample has half as many meetings as there would be if it were as bad as may just be.
bool is_suspicious(const std::vector<sampled_name>& sample, std::size_t salt, bucket_counts& met, std::size_t count,
                   std::size_t buckets, double allowed)
{
    std::uint64_t meetings = 0;
    met.clear();
    for (const sampled_name& name : sample)
        meetings += met.add(name.family, name.under[salt] % buckets);
    return double(meetings * count * 2) > allowed * double(sample.size() * sample.size());
}

bool do_collide(names all, std::size_t buckets, scanner& scan)
{
    const name_reader read(scan);
    const std::vector<sampled_name> sample = take_sample(all, read);
    if (sample.empty())
        return false;
    const double allowed = allowed_in_family(sample);
    bucket_counts met(sample.size());
    std::vector<bool> is_new;
    by_family sorted;
    for (std::size_t salt = 0; salt != table_digest::salts; ++salt) {
        if (!is_suspicious(sample, salt, met, all.size(), buckets, allowed))
            continue;
        if (is_new.empty()) {
            is_new = find_new(all, read);
            sorted = sort_by_family(all, read);
        }
        const worst_case found = count_comparisons(all, sorted, is_new, buckets, salt, read);
        if (found.comparisons() > found.most())
            return true;
    }
    return false;
}

} // namespace

bool name_watch::end_object(std::size_t members, scanner& scan)
{
    const std::size_t watched = members - unwatched;
    const std::size_t outer = names_.size() - watched;
    const bool can_be_too_many = watched > 2 * max_comparisons; // each with half of the others
    const bool found = can_be_too_many && do_collide(names(names_).subspan(outer), members, scan);
    names_.resize(outer);
    return found;
}

} // namespace partyline
