#include "mcp/wire/methods.hpp"

#include <algorithm>
#include <array>

namespace partyline::mcp {
namespace {

constexpr std::array legacy_alone{methods::initialize, methods::ping, methods::set_log_level, methods::subscribe,
                                  methods::unsubscribe};
constexpr std::array modern_alone{methods::discover, methods::listen};

template <class Names>
bool is_among(const Names& names, std::string_view method) noexcept
{
    return std::find(names.begin(), names.end(), method) != names.end();
}

} // namespace

bool is_of_other_era(std::string_view method, era now) noexcept
{
    return now == era::modern ? is_among(legacy_alone, method) : is_among(modern_alone, method);
}

} // namespace partyline::mcp
