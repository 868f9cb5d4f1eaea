#pragma once

#include <partyline/config.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace partyline::mcp {

/// The revisions of the Model Context Protocol, the oldest first.
enum class revision : std::uint8_t { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 };

/// How client and server come to terms: by `initialize`, for a session; or by what each request says of itself.
enum class era : std::uint8_t { legacy, modern };

/// The newest revision that begins with `initialize`.
inline constexpr revision newest_legacy = revision::v2025_11_25;
/// The newest one that does not.
inline constexpr revision newest_modern = revision::v2026_07_28;

/// The era that a revision is of.
constexpr era era_of(revision r) noexcept
{
    return r < revision::v2026_07_28 ? era::legacy : era::modern;
}

/// As it is written: "2025-11-25".
PARTYLINE_EXPORT std::string_view to_string(revision r) noexcept;
/// The revision that is written so; empty for one that is not known here.
PARTYLINE_EXPORT std::optional<revision> find_revision(std::string_view text) noexcept;

} // namespace partyline::mcp
