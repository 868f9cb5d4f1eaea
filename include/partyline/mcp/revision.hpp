#pragma once

#include <partyline/config.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace partyline::mcp {

/// The revisions of the Model Context Protocol, the oldest first.
enum class revision : std::uint8_t { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 };

/// How client and server agree on a revision: by `initialize`, for a session; or by the metadata of each request.
enum class era : std::uint8_t { legacy, modern };

/// The newest revision that begins with `initialize`.
inline constexpr revision newest_legacy = revision::v2025_11_25;
/// The newest revision that does not begin with `initialize`.
inline constexpr revision newest_modern = revision::v2026_07_28;

/// Returns the era of a revision.
constexpr era era_of(revision r) noexcept
{
    return r < revision::v2026_07_28 ? era::legacy : era::modern;
}

/// Returns the text of a revision: "2025-11-25".
PARTYLINE_EXPORT std::string_view to_string(revision r) noexcept;
/// Finds the revision with this text; empty for an unknown revision.
PARTYLINE_EXPORT std::optional<revision> find_revision(std::string_view text) noexcept;

} // namespace partyline::mcp
