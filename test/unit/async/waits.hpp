#pragma once

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <new>

namespace partyline::test {

/// A context whose handlers run when the test says so.
struct stepped_context {
    /// Runs what can run. Returns how many handlers that were.
    std::size_t run()
    {
        context.restart();
        return context.poll();
    }

    boost::asio::io_context context;
};

/// Has no memory to give.
template <class T = void>
struct no_memory {
    using value_type = T;

    no_memory() = default;
    template <class U>
    no_memory(const no_memory<U>&) noexcept
    {
    }
    template <class U>
    bool operator==(const no_memory<U>&) const noexcept
    {
        return true;
    }

    T* allocate(std::size_t) { throw std::bad_alloc(); }
    void deallocate(T*, std::size_t) noexcept {}
};

} // namespace partyline::test
