#include <partyline/session/detail/task_memory.hpp>

#include <array>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define PARTYLINE_KEEPS_TASK_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PARTYLINE_KEEPS_TASK_MEMORY 0
#endif
#endif
#ifndef PARTYLINE_KEEPS_TASK_MEMORY
#define PARTYLINE_KEEPS_TASK_MEMORY 1
#endif

namespace partyline::detail {
namespace {

constexpr std::size_t step = 32;
constexpr std::size_t longest = 1024;
constexpr std::size_t most_kept = std::size_t(64) << 10; // bytes of one size

struct block {
    block* next;
};

struct kept_blocks {
    block* first = nullptr;
    std::size_t bytes = 0;
};

// Without a destructor, so that looking at it costs no check of whether it has been made.
constinit thread_local std::array<kept_blocks, longest / step> kept{};
constinit thread_local bool is_closed = false;

// Frees what is kept when the thread ends. What is given back later, by other destructors, is not kept.
struct keeper {
    ~keeper()
    {
        is_closed = true;
        release_task_memory();
    }
};

// It throws nothing: what registers a destructor of a thread takes memory from malloc, and has no way to throw. (Where
// there is none, glibc ends the program, as for any such variable; other libraries leave what is kept to the end of the
// process.)
void watch_thread_end() noexcept
{
    thread_local const keeper one;
    static_cast<void>(one);
}

constexpr std::size_t rounded(std::size_t size) noexcept
{
    return (size + step - 1) / step * step;
}

} // namespace

void* take_task_memory(std::size_t size)
{
    if (size - 1 >= longest) [[unlikely]]
        return ::operator new(size);
    kept_blocks& from = kept[(size - 1) / step];
    if (!from.first) [[unlikely]]
        return ::operator new(rounded(size));
    from.bytes -= rounded(size);
    return std::exchange(from.first, from.first->next);
}

// (Where every use of freed memory is to be found, nothing is kept.)
void give_task_memory(void* memory, std::size_t size) noexcept
{
    if (!PARTYLINE_KEEPS_TASK_MEMORY || size - 1 >= longest || is_closed) [[unlikely]]
        return ::operator delete(memory);
    kept_blocks& to = kept[(size - 1) / step];
    if (to.bytes + rounded(size) > most_kept) [[unlikely]]
        return ::operator delete(memory);
    if (!to.first) [[unlikely]]
        watch_thread_end();
    to.bytes += rounded(size);
    to.first = ::new (memory) block{to.first};
}

void release_task_memory() noexcept
{
    for (kept_blocks& each : kept) {
        while (each.first)
            ::operator delete(std::exchange(each.first, each.first->next));
        each.bytes = 0;
    }
}

} // namespace partyline::detail
