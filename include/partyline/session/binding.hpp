#pragma once

#include <cstdint>
#include <optional>

namespace partyline {

/// What becomes of members of an object that nothing in the C++ type stands for.
enum class unknown_members : std::uint8_t {
    refused, ///< -32602 names them
    ignored, ///< they are passed over
};

/// How a member of a result is written that is a `std::optional` and holds nothing.
enum class empty_optionals : std::uint8_t {
    left_out, ///< the member is not written
    null,     ///< the member is written as null
};

/// How params and results stand for C++ values, where that can be seen in several ways. A type says it in its notes, a
/// method in its options, a profile for all methods; the first of these that says something has its way. Where none
/// does, unknown members of params are refused, those of results are ignored, and empty optionals are left out.
///
///     methods.add("open", open, {.binding = {.unknown = partyline::unknown_members::ignored}});
struct binding_policy {
    /// Unset: nothing is said of that here.
    std::optional<unknown_members> unknown = {};
    /// The same.
    std::optional<empty_optionals> empty = {};
};

} // namespace partyline
