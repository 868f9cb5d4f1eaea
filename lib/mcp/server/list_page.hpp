#pragma once

#include "mcp/server/features/feature.hpp"

#include <partyline/mcp/revision.hpp>
#include <partyline/session/access_view.hpp>
#include <partyline/session/request_context.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::mcp {

class catalogue;
class list_cursors;

/// The method that a list is asked for by, and the member of its result.
struct list_names {
    std::string_view method;
    std::string_view member;
};
list_names names_of(feature_kind kind) noexcept;

/// Which page of a list is wanted, and for whom.
struct wanted_page {
    feature_kind kind;
    revision of;
    std::uint64_t behind;  ///< what its cursor holds: the place of the last entry that the client has seen, 0 for none
    const access_view* by; ///< what is hidden from it is left out; null: nothing is
};

/// Whether an entry of the list of this kind is the place of others: of those that a template lists as resources.
bool has_listed(feature_kind kind, const detail::feature& one) noexcept;

/// Writes a page as the result of its method. Entries are in order of registration; those that a template lists stand
/// at the place of the template. Throws what the function that lists them throws.
std::string write_list_page(const wanted_page& what, const catalogue& of, const list_cursors& cursors,
                            request_context& asked_by);

} // namespace partyline::mcp
