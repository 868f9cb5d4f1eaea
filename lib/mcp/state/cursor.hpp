#pragma once

#include "mcp/state/signer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::mcp {

/// The cursors of lists that come page by page. Each entry of a list has a number, given at its registration and
/// greater than all before; a list is in that order. A cursor holds the number of the last entry that the client has
/// seen, and the next page is what has a greater one: so entries that come and go between two pages shift nothing.
/// (Of a template's resources it has the place among them, too: see list_page.cpp.)
///
/// A cursor is good for the list that it was made for, with the keys that it was made by. Processes that share keys
/// have to register the same entries in the same order.
class list_cursors {
public:
    explicit list_cursors(const state_keys& keys);

    /// `list` is the name of a method, such as `tools/list`.
    std::string make(std::string_view list, std::uint64_t last_seen) const;
    /// The number of the last entry seen; none of a text that was never made here for that list.
    std::optional<std::uint64_t> read(std::string_view list, std::string_view cursor) const;

private:
    signer signer_;
};

} // namespace partyline::mcp
