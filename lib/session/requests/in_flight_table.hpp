#pragma once

#include "session/requests/incoming_request.hpp"

#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partyline {

/// The requests that are in flight, by id. It owns none of them: a request leaves before it goes away.
/// The hash is seeded, so that a peer can't choose ids that collide.
class in_flight_table {
public:
    in_flight_table();

    bool empty() const noexcept { return slots_.empty(); }
    std::size_t size() const noexcept { return slots_.size(); }

    /// The request in flight whose id has this key; null without.
    incoming_request* find(std::string_view key) const;

    /// Enters a request whose id is not null-length and not in the table.
    void insert(incoming_request& entry);
    void erase(incoming_request& entry);

private:
    struct lookup {
        std::string_view key;
        std::size_t hash;
    };
    struct hasher {
        using is_transparent = void;
        using is_avalanching = void;
        std::size_t operator()(const incoming_request* entry) const noexcept { return entry->hash; }
        std::size_t operator()(const lookup& wanted) const noexcept { return wanted.hash; }
    };
    struct same_id {
        using is_transparent = void;
        bool operator()(const incoming_request* a, const incoming_request* b) const noexcept { return a == b; }
        bool operator()(const lookup& a, const incoming_request* b) const noexcept { return matches(a, *b); }
        bool operator()(const incoming_request* a, const lookup& b) const noexcept { return matches(b, *a); }
        static bool matches(const lookup& wanted, const incoming_request& entry) noexcept
        {
            return wanted.hash == entry.hash && wanted.key == entry.id.key();
        }
    };

    boost::unordered_flat_set<incoming_request*, hasher, same_id> slots_;
    std::uint64_t seed_;
};

} // namespace partyline
