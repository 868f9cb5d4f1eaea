#include <partyline/protocol/byte_buffer.hpp>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace partyline {

void byte_buffer::free_memory() noexcept
{
    std::free(data_);
}

void byte_buffer::insert(std::size_t position, std::string_view text)
{
    prepare(text.size());
    std::memmove(data_ + position + text.size(), data_ + position, size_ - position);
    std::memcpy(data_ + position, text.data(), text.size());
    size_ += text.size();
}

void byte_buffer::erase_front(std::size_t count) noexcept
{
    if (count == 0)
        return;
    size_ -= count;
    std::memmove(data_, data_ + count, size_);
}

void byte_buffer::clear(std::size_t keep) noexcept
{
    size_ = 0;
    if (capacity_ > keep)
        byte_buffer().swap(*this);
}

void byte_buffer::reserve(std::size_t capacity)
{
    if (capacity <= capacity_)
        return;
    void* const memory = std::realloc(data_, capacity);
    if (!memory)
        throw std::bad_alloc();
    data_ = static_cast<char*>(memory);
    capacity_ = capacity;
}

void byte_buffer::grow(std::size_t count)
{
    if (count > static_cast<std::size_t>(-1) / 2 - size_)
        throw std::bad_alloc();
    reserve(std::max({std::size_t(4096), capacity_ * 2, size_ + count}));
}

} // namespace partyline
