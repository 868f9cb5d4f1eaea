#include "steady_memory.hpp"

#include "support/sanitized.hpp"

#include <cstdio>

namespace partyline::test {

bool is_steady(std::size_t early, std::size_t late, std::size_t margin)
{
    std::printf("resident: %zu KiB early, %zu KiB late; allowed growth %zu KiB\n", early / 1024, late / 1024,
                margin / 1024);
    return is_sanitized || late <= early + margin;
}

} // namespace partyline::test
