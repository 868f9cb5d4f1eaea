#include "protocol/json/value_memory.hpp"

#include <boost/container/pmr/memory_resource.hpp> // Boost.JSON has none of its own from 1.87 on

#include <array>
#include <new>

namespace partyline {
namespace {

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t largest_text = 0; // a value that is used after its end is to be noticed
#else
constexpr std::size_t largest_text = 4096;
#endif

constexpr std::size_t step = 32; // between two sizes of small blocks
constexpr std::size_t largest_small = 512;
constexpr std::size_t small_sizes = largest_small / step;
constexpr std::array<std::size_t, 2> large_sizes = {1088, 2112}; // strings of 1 and 2 KiB, and what stands before them
constexpr std::size_t sizes = small_sizes + large_sizes.size();
// Of one size, in one thread. Of small blocks about what one read of short requests starts.
constexpr std::size_t max_kept = 256;
constexpr std::size_t max_kept_large = 32;

constexpr std::size_t index_of_small(std::size_t size) noexcept
{
    return (size - 1) / step;
}

constexpr std::size_t index_of_large(std::size_t size) noexcept
{
    std::size_t index = small_sizes;
    while (index < sizes && size > large_sizes[index - small_sizes])
        ++index;
    return index;
}

constexpr std::size_t size_of(std::size_t index) noexcept
{
    return index < small_sizes ? (index + 1) * step : large_sizes[index - small_sizes];
}

/// One thread's free blocks. Each is a block of operator new, so it does not matter where it came from.
class block_cache {
public:
    constexpr block_cache() noexcept
    {
        for (std::size_t i = 0; i < sizes; ++i)
            lists_[i].left = i < small_sizes ? max_kept : max_kept_large;
    }
    block_cache(const block_cache&) = delete;
    block_cache& operator=(const block_cache&) = delete;
    ~block_cache();

    void* take(std::size_t index)
    {
        list& from = lists_[index];
        block* const first = from.first;
        if (!first) [[unlikely]]
            return ::operator new(size_of(index));
        from.first = first->next;
        ++from.left;
        return first;
    }

    void give(void* memory, std::size_t index) noexcept
    {
        list& to = lists_[index];
        if (to.left == 0) [[unlikely]]
            return ::operator delete(memory);
        to.first = ::new (memory) block{to.first};
        --to.left;
    }

private:
    struct block {
        block* next;
    };
    struct list {
        block* first = nullptr;
        std::size_t left = 0; // how many more it may keep
    };

    std::array<list, sizes> lists_;
};

// Values of the thread's that go after this keep nothing here.
block_cache::~block_cache()
{
    for (list& kept : lists_) {
        while (block* const first = kept.first) {
            kept.first = first->next;
            ::operator delete(first);
        }
        kept.left = 0;
    }
}

thread_local block_cache cache;

class recycling_memory final : public boost::container::pmr::memory_resource {
    void* do_allocate(std::size_t size, std::size_t) override
    {
        return size <= largest_small ? cache.take(index_of_small(size)) : take_large(size);
    }

    void do_deallocate(void* memory, std::size_t size, std::size_t) override
    {
        if (size <= largest_small) [[likely]]
            cache.give(memory, index_of_small(size));
        else
            give_large(memory, size);
    }

    static void* take_large(std::size_t size)
    {
        const std::size_t index = index_of_large(size);
        return index < sizes ? cache.take(index) : ::operator new(size);
    }

    static void give_large(void* memory, std::size_t size) noexcept
    {
        const std::size_t index = index_of_large(size);
        if (index < sizes)
            cache.give(memory, index);
        else
            ::operator delete(memory);
    }

    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

// Never destroyed: values may outlive everything else.
union everlasting {
    recycling_memory memory;
    everlasting() noexcept { ::new (&memory) recycling_memory(); }
    ~everlasting() {}
};

} // namespace

boost::json::storage_ptr value_memory::for_text(std::size_t size) noexcept
{
    static everlasting resource;
    return size <= largest_text ? boost::json::storage_ptr(&resource.memory) : boost::json::storage_ptr();
}

} // namespace partyline
