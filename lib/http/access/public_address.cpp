#include "http/access/public_address.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

struct block4 {
    std::uint32_t first;
    int bits;
};

constexpr std::uint32_t at4(unsigned a, unsigned b, unsigned c = 0)
{
    return a << 24 | b << 16 | c << 8;
}

constexpr std::array special4 = {
    block4{at4(0, 0), 8},                                     // this network, and the unspecified address
    block4{at4(10, 0), 8},                                    // private
    block4{at4(100, 64), 10},                                 // shared by the customers of a provider
    block4{at4(127, 0), 8},                                   // loopback
    block4{at4(169, 254), 16},                                // link-local
    block4{at4(172, 16), 12},                                 // private
    block4{at4(192, 0, 0), 24},                               // protocols' own
    block4{at4(192, 0, 2), 24},                               // documentation
    block4{at4(192, 88, 99), 24},  block4{at4(192, 168), 16}, // private
    block4{at4(198, 18), 15},                                 // tests
    block4{at4(198, 51, 100), 24}, block4{at4(203, 0, 113), 24}, block4{at4(224, 0), 4}, // multicast
    block4{at4(240, 0), 4},                                                              // reserved, and broadcast
};

bool is_public(std::uint32_t address) noexcept
{
    return std::none_of(special4.begin(), special4.end(),
                        [&](const block4& each) { return (address ^ each.first) >> (32 - each.bits) == 0; });
}

using bytes6 = asio::ip::address_v6::bytes_type;

constexpr std::uint32_t four_of(const bytes6& bytes, std::size_t from)
{
    return std::uint32_t(bytes[from]) << 24 | std::uint32_t(bytes[from + 1]) << 16 |
           std::uint32_t(bytes[from + 2]) << 8 | bytes[from + 3];
}

// What is not within 2000::/3 is not given to hosts of the internet.
bool is_public(const bytes6& bytes) noexcept
{
    const std::uint32_t first = four_of(bytes, 0);
    const bool is_translated =
        first == 0x0064ff9b && std::all_of(bytes.begin() + 4, bytes.begin() + 12, [](auto each) { return each == 0; });
    if (is_translated)
        return is_public(four_of(bytes, 12));
    const bool is_protocols_own = first >> 9 == 0x20010000U >> 9; // 2001::/23, Teredo among them
    const bool is_6to4 = first >> 16 == 0x2002;
    const bool is_documentation = first == 0x20010db8 || first >> 12 == 0x3fff0;
    return first >> 29 == 1 && !is_protocols_own && !is_6to4 && !is_documentation;
}

} // namespace

bool is_public_address(const asio::ip::address& address) noexcept
{
    return address.is_v4() ? is_public(address.to_v4().to_uint()) : is_public(address.to_v6().to_bytes());
}

} // namespace partyline::http
