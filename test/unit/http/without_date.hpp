#pragma once

#include <cstddef>
#include <string>

namespace partyline::test {

/// An answer as it came, but for its field Date, so that answers can be compared to the byte.
inline std::string without_date(std::string answer)
{
    const std::size_t date = answer.find("Date: ");
    if (date != answer.npos)
        answer.erase(date, answer.find("\r\n", date) + 2 - date);
    return answer;
}

} // namespace partyline::test
