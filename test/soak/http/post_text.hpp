#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace partyline::test {

inline std::size_t below(std::size_t bound, std::mt19937_64& random)
{
    return static_cast<std::size_t>(random() % bound);
}

/// Appends a POST of JSON with these fields besides: some are sent with their length, and some in chunks of any size.
void append_post(std::string& out, std::string_view path, std::string_view fields, std::string_view body,
                 std::mt19937_64& random);

} // namespace partyline::test
