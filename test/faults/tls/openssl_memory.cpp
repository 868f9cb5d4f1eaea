// OpenSSL's allocations fail as planned, too. They have to be taken over before it makes the first one.

#include <cstdlib>
#include <new>

#include <openssl/crypto.h>

namespace {

void* take(std::size_t size, const char*, int) noexcept
{
    return size != 0 ? ::operator new(size, std::nothrow) : nullptr;
}

void* resize(void* memory, std::size_t size, const char* file, int line) noexcept
{
    if (!memory)
        return take(size, file, line);
    if (size == 0) {
        std::free(memory);
        return nullptr;
    }
    return std::realloc(memory, size); // the linker has put the plan in place of it
}

void give_back(void* memory, const char*, int) noexcept
{
    std::free(memory);
}

[[maybe_unused]] const int are_taken_over = CRYPTO_set_mem_functions(take, resize, give_back);

} // namespace
