#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace partyline::access {

/// A name, or with `*` at the end all that begin with what stands before it.
struct name_pattern {
    std::string name = {}; // without the `*`
    bool is_prefix = false;

    bool fits(std::string_view text) const noexcept { return is_prefix ? text.starts_with(name) : text == name; }
    bool operator==(const name_pattern&) const = default;
};

inline bool any_fits(const std::vector<name_pattern>& patterns, std::string_view text) noexcept
{
    for (const name_pattern& one : patterns)
        if (one.fits(text))
            return true;
    return false;
}

} // namespace partyline::access
