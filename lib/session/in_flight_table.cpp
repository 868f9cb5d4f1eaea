#include "session/in_flight_table.hpp"

#include "protocol/text_hash.hpp"

#include <random>

namespace partyline {
namespace {

std::uint64_t random_seed()
{
    std::random_device device;
    return (std::uint64_t(device()) << 32) | device();
}

} // namespace

in_flight_table::in_flight_table() : seed_(random_seed()) {}

slot* in_flight_table::find(std::string_view key) const
{
    if (slots_.empty())
        return nullptr;
    const auto found = slots_.find(lookup{key, hash_text(key, seed_)});
    return found == slots_.end() ? nullptr : *found;
}

void in_flight_table::insert(slot& entry)
{
    entry.hash = hash_text(entry.id.key(), seed_);
    slots_.insert(&entry);
    entry.is_listed = true;
}

void in_flight_table::erase(slot& entry)
{
    slots_.erase(&entry);
    entry.is_listed = false;
}

} // namespace partyline
