#include "protocol/json/random_seed.hpp"

#include "protocol/json/text_hash.hpp"

#include <atomic>
#include <random>

namespace partyline {
namespace {

std::uint64_t draw()
{
    std::random_device device;
    return (std::uint64_t(device()) << 32) | device();
}

} // namespace

// The system is asked once: each time would cost more than all the rest of a new session. A seed shows itself to no
// peer, so that one says nothing of the next. Each thread counts for itself, so that sessions of several threads write
// nothing together.
std::uint64_t random_seed()
{
    static const std::uint64_t secret[2] = {draw(), draw()};
    static std::atomic<std::uint64_t> threads = 0;
    thread_local std::uint64_t number = threads.fetch_add(1, std::memory_order_relaxed) << 40;
    return fold(secret[0] ^ ++number, secret[1] | 1) ^ secret[0];
}

} // namespace partyline
