#include "fleet/random_name.hpp"

#include "protocol/json/fill_random.hpp"

#include <array>
#include <string_view>

namespace partyline::fleet {

std::string random_name()
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<unsigned char, 16> bytes{};
    fill_random(bytes.data(), bytes.size());
    std::string name;
    for (const unsigned char byte : bytes) {
        name += digits[byte >> 4];
        name += digits[byte & 15];
    }
    return name;
}

} // namespace partyline::fleet
