#pragma once

#include <partyline/config.hpp>

#include <cstddef>

namespace partyline::detail {

/// Memory for the frames of tasks, and for the operations that they await: kept per thread when it is freed, up to a
/// bound, since the next request needs the same. Throws `std::bad_alloc`. From any thread; memory of one thread may be
/// freed by another.
PARTYLINE_EXPORT void* take_task_memory(std::size_t size);
PARTYLINE_EXPORT void give_task_memory(void* memory, std::size_t size) noexcept;
/// Frees the memory that this thread has kept.
PARTYLINE_EXPORT void release_task_memory() noexcept;

/// An allocator of that memory.
template <class T>
struct task_allocator {
    using value_type = T;

    task_allocator() = default;
    template <class U>
    task_allocator(const task_allocator<U>&) noexcept
    {
    }

    T* allocate(std::size_t count) { return static_cast<T*>(take_task_memory(count * sizeof(T))); }
    void deallocate(T* memory, std::size_t count) noexcept { give_task_memory(memory, count * sizeof(T)); }

    template <class U>
    bool operator==(const task_allocator<U>&) const noexcept
    {
        return true;
    }
};

} // namespace partyline::detail
