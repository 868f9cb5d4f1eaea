#include "fleet/random_name.hpp"

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <sys/random.h>

namespace partyline::fleet {

std::string random_name()
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<unsigned char, 16> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw std::system_error(errno, std::system_category(), "getrandom");
    std::string name;
    for (const unsigned char byte : bytes) {
        name += digits[byte >> 4];
        name += digits[byte & 15];
    }
    return name;
}

} // namespace partyline::fleet
