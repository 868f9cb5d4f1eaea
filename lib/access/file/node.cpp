#include "access/file/node.hpp"

#include <algorithm>
#include <cmath>

namespace partyline::access {

std::string node::text() const
{
    if (!value.is_string())
        fail("a string is expected");
    const std::string_view found = value.get_string();
    if (found.empty())
        fail("it is empty");
    return std::string(found);
}

bool node::flag() const
{
    if (!value.is_bool())
        fail("true or false is expected");
    return value.get_bool();
}

std::uint64_t node::whole_number(std::uint64_t least, std::uint64_t most) const
{
    const bool is_whole = value.is_int64() ? value.get_int64() >= 0 : value.is_uint64();
    const std::uint64_t found = !is_whole          ? 0
                                : value.is_int64() ? static_cast<std::uint64_t>(value.get_int64())
                                                   : value.get_uint64();
    if (!is_whole || found < least || found > most)
        fail("a whole number from " + std::to_string(least) + " to " + std::to_string(most) + " is expected");
    return found;
}

double node::positive_number(double most) const
{
    const double found = value.is_number() ? value.to_number<double>() : 0;
    if (!(found > 0 && found <= most))
        fail("a number above 0, up to " + std::to_string(static_cast<std::uint64_t>(most)) + ", is expected");
    return found;
}

members::members(const node& object, std::initializer_list<std::string_view> known)
    : where_(object.where), object_(object.value.if_object())
{
    if (!object_)
        object.fail("an object is expected");
    for (const auto& one : *object_) {
        const std::string_view name = one.key();
        if (name == "//" || std::find(known.begin(), known.end(), name) != known.end())
            continue;
        std::string names;
        for (const std::string_view each : known)
            names.append(names.empty() ? "" : ", ").append(each);
        throw file_error(place(where_, name), "there is no such member; known are " + names);
    }
}

} // namespace partyline::access
