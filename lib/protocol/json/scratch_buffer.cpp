#include "protocol/json/scratch_buffer.hpp"

#include <array>
#include <cstddef>

namespace partyline {
namespace {

constexpr std::size_t longest_kept = std::size_t(64) << 10;

constinit thread_local bool is_closed = false; // what is given back later, by other destructors of the thread, is freed

struct shelf {
    ~shelf() { is_closed = true; }

    std::array<byte_buffer, 4> kept;
    std::size_t count = 0;
};

thread_local shelf own_shelf;

} // namespace

scratch_buffer::scratch_buffer() noexcept
{
    if (is_closed) [[unlikely]]
        return;
    shelf& from = own_shelf;
    if (from.count != 0) [[likely]]
        buffer_.swap(from.kept[--from.count]);
}

scratch_buffer::~scratch_buffer()
{
    if (is_closed || buffer_.capacity() == 0 || buffer_.capacity() > longest_kept) [[unlikely]]
        return;
    shelf& to = own_shelf;
    if (to.count == to.kept.size()) [[unlikely]]
        return;
    buffer_.truncate(0);
    buffer_.swap(to.kept[to.count++]);
}

} // namespace partyline
