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

constexpr std::size_t step = 32; // between two sizes of blocks
constexpr std::size_t sizes = 16;
constexpr std::size_t max_kept = 256; // of one size, in one thread: about what one read of short requests starts

/// One thread's free blocks. Each is a block of operator new, so it does not matter where it came from.
class block_cache {
public:
    block_cache() = default;
    block_cache(const block_cache&) = delete;
    block_cache& operator=(const block_cache&) = delete;
    ~block_cache();

    void* take(std::size_t index)
    {
        list& from = lists_[index];
        block* const first = from.first;
        if (!first) [[unlikely]]
            return ::operator new((index + 1) * step);
        from.first = first->next;
        --from.count;
        return first;
    }

    void give(void* memory, std::size_t index) noexcept
    {
        list& to = lists_[index];
        if (to.count == to.most) [[unlikely]]
            return ::operator delete(memory);
        to.first = ::new (memory) block{to.first};
        ++to.count;
    }

private:
    struct block {
        block* next;
    };
    struct list {
        block* first = nullptr;
        std::size_t count = 0;
        std::size_t most = max_kept;
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
        kept.count = kept.most = 0;
    }
}

thread_local block_cache cache;

std::size_t index_of(std::size_t size) noexcept
{
    return (size - 1) / step;
}

class recycling_memory final : public boost::container::pmr::memory_resource {
    void* do_allocate(std::size_t size, std::size_t) override
    {
        const std::size_t index = index_of(size);
        return index < sizes ? cache.take(index) : ::operator new(size);
    }

    void do_deallocate(void* memory, std::size_t size, std::size_t) override
    {
        const std::size_t index = index_of(size);
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
