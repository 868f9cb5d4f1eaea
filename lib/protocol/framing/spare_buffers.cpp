#include "protocol/framing/spare_buffers.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace partyline::detail {
namespace {

constexpr std::size_t max_capacity = std::size_t(256) << 10;

struct spare_buffers {
    std::array<byte_buffer, 4> kept;
    std::size_t count = 0;
};

spare_buffers& of_this_thread(spare_use use) noexcept
{
    thread_local std::array<spare_buffers, 2> all;
    return all[static_cast<std::size_t>(use)];
}

} // namespace

byte_buffer take_spare_buffer(spare_use use) noexcept
{
    spare_buffers& all = of_this_thread(use);
    return all.count == 0 ? byte_buffer() : std::exchange(all.kept[--all.count], byte_buffer());
}

void keep_spare_buffer(byte_buffer one, spare_use use) noexcept
{
    if (one.capacity() == 0 || one.capacity() > max_capacity)
        return;
    spare_buffers& all = of_this_thread(use);
    if (all.count == all.kept.size())
        return;
    one.truncate(0);
    all.kept[all.count++] = std::move(one);
}

} // namespace partyline::detail
