#include "allocation_faults.hpp"

#include <cstdlib>
#include <new>

namespace partyline::test {
namespace {

struct {
    allocation_plan plan;
    bool is_armed = false;
    int unharmed = 0;
    std::size_t count = 0;
    std::size_t large_count = 0;
    std::size_t failed = 0;

    bool is_next_to_fail(std::size_t size) noexcept
    {
        if (!is_armed || unharmed != 0)
            return false;
        const bool is_large = size >= allocation_plan::large;
        large_count += is_large ? 1 : 0;
        const bool fails =
            ++count == plan.fails_at || (is_large && plan.large_fail_at != 0 && large_count >= plan.large_fail_at);
        failed += fails ? 1 : 0;
        return fails;
    }
} state;

} // namespace

armed_allocations::armed_allocations(allocation_plan plan) noexcept
{
    state = {};
    state.plan = plan;
    state.is_armed = true;
}

armed_allocations::~armed_allocations()
{
    state.is_armed = false;
}

std::size_t armed_allocations::failed() const noexcept
{
    return state.failed;
}

unharmed::unharmed() noexcept
{
    ++state.unharmed;
}
unharmed::~unharmed()
{
    --state.unharmed;
}

static bool is_next_to_fail(std::size_t size) noexcept
{
    return state.is_next_to_fail(size);
}

} // namespace partyline::test

// The linker puts these in place of the C library's: see CMakeLists.txt.
extern "C" {
void* __real_realloc(void* memory, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);

void* __wrap_realloc(void* memory, std::size_t size);
void* __wrap_realloc(void* memory, std::size_t size)
{
    return partyline::test::is_next_to_fail(size) ? nullptr : __real_realloc(memory, size);
}

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size)
{
    return partyline::test::is_next_to_fail(size) ? nullptr : __real_aligned_alloc(alignment, size);
}
}

void* operator new(std::size_t size)
{
    void* const memory = partyline::test::is_next_to_fail(size) ? nullptr : std::malloc(size != 0 ? size : 1);
    if (!memory)
        throw std::bad_alloc();
    return memory;
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    return partyline::test::is_next_to_fail(size) ? nullptr : std::malloc(size != 0 ? size : 1);
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
