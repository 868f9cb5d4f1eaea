#pragma once

#include <string_view>

namespace partyline::http {

/// Calls `take` with each element of a list that is divided by commas (RFC 9110 §5.6.1), without the blanks around it;
/// empty ones are left out. Commas within quotes divide nothing.
template <class Take>
void for_each_element(std::string_view list, Take take)
{
    std::size_t begin = 0;
    bool is_quoted = false;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        if (i != list.size()) {
            if (is_quoted && list[i] == '\\' && i + 1 != list.size()) {
                ++i;
                continue;
            }
            if (list[i] == '"')
                is_quoted = !is_quoted;
            if (is_quoted || list[i] != ',')
                continue;
        }
        std::string_view one = list.substr(begin, i - begin);
        while (!one.empty() && (one.front() == ' ' || one.front() == '\t'))
            one.remove_prefix(1);
        while (!one.empty() && (one.back() == ' ' || one.back() == '\t'))
            one.remove_suffix(1);
        if (!one.empty())
            take(one);
        begin = i + 1;
    }
}

} // namespace partyline::http
