#include "protocol/json/random_seed.hpp"

#include <random>

namespace partyline {

std::uint64_t random_seed()
{
    std::random_device device;
    return (std::uint64_t(device()) << 32) | device();
}

} // namespace partyline
