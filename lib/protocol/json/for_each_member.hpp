#pragma once

#include "protocol/json/scanner.hpp"

#include <limits>
#include <string>
#include <string_view>

namespace partyline {

/// A member of an object, as it stands there. Valid while it is visited.
struct member_text {
    std::string_view name; // decoded
    std::string_view value;
    std::string_view whole; // from the quote before its name to the end of its value
};

/// Goes through the members of the object at `p`, as `scanner::skip_value` does. `memory` has names with escapes.
template <class Visit>
const char* visit_members(scanner& scan, const char* p, std::size_t room, std::string& memory, Visit visit)
{
    const auto between = [](const char* from, const char* to) {
        return std::string_view(from, static_cast<std::size_t>(to - from));
    };
    if (room == 0) [[unlikely]]
        return scan.fail(p, "nested too deep", scanner::fault::too_deep);
    p = scanner::skip_space(p + 1);
    if (*p == '}')
        return p + 1;
    for (;;) {
        const char* const begin = p;
        std::string_view name;
        const char* const value = scan.read_name(p, name, memory);
        if (!value) [[unlikely]]
            return nullptr;
        p = *value == '"' ? scan.skip_string(value) : scan.skip_value(value, room - 1);
        if (!p) [[unlikely]]
            return nullptr;
        visit(member_text{name, between(value, p), between(begin, p)});
        p = scanner::skip_space(p);
        if (*p == '}')
            return p + 1;
        if (*p != ',') [[unlikely]]
            return scan.fail(p, "expected ',' or '}'");
        p = scanner::skip_space(p + 1);
    }
}

/// The same of a text; of one that is no object there is nothing to visit.
template <class Visit>
void for_each_member(scanner& scan, std::string_view object, std::string& memory, Visit visit)
{
    if (!object.starts_with('{'))
        return;
    scan.start(object);
    visit_members(scan, object.data(), std::numeric_limits<std::size_t>::max(), memory, visit);
}

} // namespace partyline
