#include "session/in_flight_table.hpp"

#include <cstring>
#include <random>

namespace partyline {
namespace {

std::uint64_t random_seed()
{
    std::random_device device;
    return (std::uint64_t(device()) << 32) | device();
}

// Both halves of a 128-bit product: every bit of the input reaches every bit of the result.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept
{
    __extension__ using wide = unsigned __int128;
    const wide product = wide(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

} // namespace

in_flight_table::in_flight_table() : seed_(random_seed()) {}

std::size_t in_flight_table::hash(std::string_view key) const noexcept
{
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t result = seed_ ^ (key.size() * odd);
    for (; key.size() > 8; key.remove_prefix(8)) {
        std::uint64_t word;
        std::memcpy(&word, key.data(), 8);
        result = fold(result ^ word, odd ^ seed_);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, key.data(), key.size());
    return fold(fold(result ^ rest, odd ^ seed_), odd);
}

slot* in_flight_table::find(std::string_view key) const
{
    if (slots_.empty())
        return nullptr;
    const auto found = slots_.find(lookup{key, hash(key)});
    return found == slots_.end() ? nullptr : *found;
}

void in_flight_table::insert(slot& entry)
{
    entry.hash = hash(entry.id.key());
    slots_.insert(&entry);
    entry.is_listed = true;
}

void in_flight_table::erase(slot& entry)
{
    slots_.erase(&entry);
    entry.is_listed = false;
}

} // namespace partyline
