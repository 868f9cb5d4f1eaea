#pragma once

#include <partyline/config.hpp>

#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

namespace partyline {

/// Bytes that grow at the end, without the zero fill of a `std::string`: messages are read into it and written into it.
/// Large ones grow by `realloc`, which on Linux moves pages instead of copying them.
class PARTYLINE_EXPORT byte_buffer {
public:
    byte_buffer() = default;
    byte_buffer(byte_buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0))
    {
    }
    byte_buffer& operator=(byte_buffer&& other) noexcept
    {
        byte_buffer(std::move(other)).swap(*this);
        return *this;
    }
    byte_buffer(const byte_buffer&) = delete;
    byte_buffer& operator=(const byte_buffer&) = delete;
    ~byte_buffer()
    {
        if (data_)
            free_memory();
    }

    /// The first byte; null where the buffer has no memory yet.
    char* data() noexcept { return data_; }
    /// The first byte, to be changed; null where the buffer has no memory yet.
    const char* data() const noexcept { return data_; }
    /// The number of bytes.
    std::size_t size() const noexcept { return size_; }
    /// The number of bytes that it has memory for.
    std::size_t capacity() const noexcept { return capacity_; }
    /// Whether the buffer has no bytes.
    bool empty() const noexcept { return size_ == 0; }
    /// The bytes; valid until something is done with the buffer.
    std::string_view view() const noexcept { return {data_, size_}; }

    /// Makes room for `count` more bytes and returns their place; `commit` then tells how many were written.
    char* prepare(std::size_t count)
    {
        if (capacity_ - size_ < count) [[unlikely]]
            grow(count);
        return data_ + size_;
    }
    /// Adds the first `count` bytes of the room of `prepare`, which have been written.
    void commit(std::size_t count) noexcept { size_ += count; }

    /// Has room for `capacity` bytes in all, and takes no more memory than that.
    void reserve(std::size_t capacity);

    /// Adds bytes at the end.
    void append(std::string_view text)
    {
        if (text.empty()) // memcpy takes no null pointer, whatever the size
            return;
        std::memcpy(prepare(text.size()), text.data(), text.size());
        size_ += text.size();
    }
    /// Adds one byte at the end.
    void push_back(char c)
    {
        *prepare(1) = c;
        ++size_;
    }

    /// Inserts `text` before the byte at `position`.
    void insert(std::size_t position, std::string_view text);
    /// Drops everything after the first `size` bytes.
    void truncate(std::size_t size) noexcept { size_ = size; }
    /// Drops the first `count` bytes and moves the rest to the front.
    void erase_front(std::size_t count) noexcept;
    /// Empties it, and gives memory beyond `keep` bytes back.
    void clear(std::size_t keep = std::size_t(1) << 20) noexcept;
    /// Exchanges bytes and memory.
    void swap(byte_buffer& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    void grow(std::size_t count);
    void free_memory() noexcept;

    char* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace partyline
