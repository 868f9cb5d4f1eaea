// Each block of the heap has cache lines of its own. Which blocks are neighbours is the allocator's choice, differs
// from run to run, and says nothing of the server: lines that two threads use are then within one object, or static.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t line_bytes = 64;

void* allocate_or_throw(std::size_t size, std::size_t alignment)
{
    if (void* const block = std::aligned_alloc(alignment, size))
        return block;
    throw std::bad_alloc();
}

} // namespace

extern "C" {

void* __real_aligned_alloc(std::size_t alignment, std::size_t size);

// Also of Asio's recycled memory.
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size)
{
    const std::size_t lines = size / line_bytes + 1;
    return __real_aligned_alloc(std::max(alignment, line_bytes), lines * line_bytes);
}
}

void* operator new(std::size_t size)
{
    return allocate_or_throw(size, line_bytes);
}

void* operator new(std::size_t size, std::align_val_t alignment)
{
    return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}

void operator delete(void* block) noexcept
{
    std::free(block);
}

void operator delete(void* block, std::size_t) noexcept
{
    std::free(block);
}

void operator delete(void* block, std::align_val_t) noexcept
{
    std::free(block);
}

void operator delete(void* block, std::size_t, std::align_val_t) noexcept
{
    std::free(block);
}
