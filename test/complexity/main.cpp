// Does one row: complexity ROW hostile|ordinary. What is counted is `counted_work`; see compare.cmake.

#include "rows.hpp"

#include <cstdio>
#include <cstring>
#include <exception>

#include <malloc.h>

namespace partyline::test {

// Callgrind counts what happens within: so named that it finds it.
extern "C" [[gnu::noinline]] void counted_work(const work& todo)
{
    todo();
}

} // namespace partyline::test

int main(int argc, char** argv)
try {
    if (argc != 3)
        return 2;
    // Large tables get pages of their own, always: hostile names are made for tables that begin 16 bytes behind a page.
    mallopt(M_MMAP_THRESHOLD, 64 << 10);
    mallopt(M_TRIM_THRESHOLD, 0);
    mallopt(M_TOP_PAD, 0);
    partyline::test::counted_work(partyline::test::rows().at(argv[1])(std::strcmp(argv[2], "hostile") == 0));
} catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
