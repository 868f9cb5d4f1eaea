#include "session/requests/in_flight_table.hpp"

#include "protocol/json/random_seed.hpp"
#include "protocol/json/text_hash.hpp"

namespace partyline {
in_flight_table::in_flight_table() : seed_(random_seed()) {}

incoming_request* in_flight_table::find(std::string_view key) const
{
    if (slots_.empty())
        return nullptr;
    const auto found = slots_.find(lookup{key, hash_text(key, seed_)});
    return found == slots_.end() ? nullptr : *found;
}

void in_flight_table::insert(incoming_request& entry)
{
    entry.hash = hash_text(entry.id.key(), seed_);
    slots_.insert(&entry);
    entry.is_listed = true;
}

void in_flight_table::erase(incoming_request& entry)
{
    slots_.erase(&entry);
    entry.is_listed = false;
}

} // namespace partyline
