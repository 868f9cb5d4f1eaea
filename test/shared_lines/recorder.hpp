#pragma once

#include <cstddef>
#include <string>

namespace partyline::test {

/// Records which cache lines the watched threads of this program write and read. The compiler calls it before each
/// access to memory, since all code that is looked at is compiled for ThreadSanitizer, whose run-time library
/// recorder.cpp takes the place of; mutexes come by the linker (`--wrap`). What libc, libstdc++ and the kernel do
/// within their own functions is not seen.
namespace recorder {

constexpr unsigned most_threads = 2; // more would tell no more

/// This thread is watched from now on, as that number; twice the same is fine.
void watch(unsigned number);
void start();
void stop();

/// How many accesses were recorded.
std::size_t accesses();

/// What a thread has written and another one has used since `start()`.
struct shared_memory {
    std::size_t words = 0;      // lines of which they have used the same word
    std::size_t neighbours = 0; // lines of which they have used different words
};
shared_memory shared();
/// The same in words, with the places in the code and their callers.
std::string describe_shared();

} // namespace recorder
} // namespace partyline::test
