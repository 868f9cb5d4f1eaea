#pragma once

#include <cstdint>
#include <optional>

namespace partyline {

/// The treatment of members of an object that the C++ type does not have.
enum class unknown_members : std::uint8_t {
    refused, ///< -32602 names them
    ignored, ///< they are skipped
};

/// The form of a result's member that is an empty `std::optional`.
enum class empty_optionals : std::uint8_t {
    left_out, ///< the member is not written
    null,     ///< the member is written as null
};

/// How params and results stand for C++ values, where there are several ways. A type sets it in its notes, a method in
/// its options, a profile for all methods; the first of these that sets something wins. Where none does, unknown
/// members of params are refused, those of results are ignored, and empty optionals are left out.
///
///     methods.add("open", open, {.binding = {.unknown = partyline::unknown_members::ignored}});
struct binding_policy {
    /// The treatment of unknown members. Unset: decided elsewhere.
    std::optional<unknown_members> unknown = {};
    /// The form of empty optionals. Unset: decided elsewhere.
    std::optional<empty_optionals> empty = {};
};

} // namespace partyline
