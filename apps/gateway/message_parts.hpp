#pragma once

#include "protocol/json/for_each_member.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>

#include <limits>
#include <string>
#include <string_view>

namespace gateway {

/// -32602 "Invalid params", which names the parameter and says what was expected there.
partyline::error_object invalid_params(std::string_view parameter, std::string_view expected);

/// Whether some reader takes a member of this name for `known`: several languages ignore case, and two characters
/// beyond ASCII then stand for letters of ASCII.
bool may_be_read_as(std::string_view name, std::string_view known) noexcept;

/// The member of a checked object that a reader takes for `known`, and no other reader another one for it: throws
/// `rpc_error` -32602 where several could be meant, or one that is spelled otherwise. Empty where there is none, also
/// in what is no object.
partyline::json_view only_member(partyline::json_view object, std::string_view known);

/// A string, decoded. Throws `rpc_error` -32602 where it is none; the error calls it `name`.
std::string string_in(partyline::json_view value, std::string_view name);

/// Goes through the elements of a checked array; of what is none there is nothing to visit.
template <class Visit>
void for_each_element(std::string_view array, Visit visit)
{
    if (!array.starts_with('['))
        return;
    partyline::scanner scan;
    scan.start(array);
    const char* p = partyline::scanner::skip_space(array.data() + 1);
    while (*p != ']') {
        const char* const begin = p;
        p = scan.skip_value(p, std::numeric_limits<std::size_t>::max());
        if (!p)
            return;
        visit(std::string_view(begin, static_cast<std::size_t>(p - begin)));
        p = partyline::scanner::skip_space(p);
        if (*p == ',')
            p = partyline::scanner::skip_space(p + 1);
    }
}

/// Goes through the members of a checked object; of what is none there is nothing to visit. `visit` is given a
/// `partyline::member_text`.
template <class Visit>
void for_each_member(std::string_view object, Visit visit)
{
    partyline::scanner scan;
    std::string memory;
    partyline::for_each_member(scan, object, memory, visit);
}

} // namespace gateway
