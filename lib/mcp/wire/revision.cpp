#include <partyline/mcp/revision.hpp>

#include <partyline/mcp/log_level.hpp>

#include <algorithm>
#include <array>

namespace partyline::mcp {
namespace {

constexpr std::array<std::string_view, 5> revisions{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                                    "2026-07-28"};
constexpr std::array<std::string_view, 8> levels{"debug", "info",     "notice", "warning",
                                                 "error", "critical", "alert",  "emergency"};

template <class Enum, std::size_t Count>
std::optional<Enum> find_in(const std::array<std::string_view, Count>& names, std::string_view text) noexcept
{
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end())
        return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

} // namespace

std::string_view to_string(revision r) noexcept
{
    return revisions[static_cast<std::size_t>(r)];
}

std::optional<revision> find_revision(std::string_view text) noexcept
{
    return find_in<revision>(revisions, text);
}

std::string_view to_string(log_level level) noexcept
{
    return levels[static_cast<std::size_t>(level)];
}

std::optional<log_level> find_log_level(std::string_view text) noexcept
{
    return find_in<log_level>(levels, text);
}

} // namespace partyline::mcp
