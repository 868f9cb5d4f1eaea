#include "recorder.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <pthread.h>

namespace partyline::test::recorder {
namespace {

enum use : unsigned { reads, writes };

// Where in the code, and who has called that.
using place = std::array<const void*, 7>;

// How a word was first used by each thread.
struct entry {
    std::atomic<std::uintptr_t> word = 0; // 0: unused
    std::array<std::array<place, 2>, most_threads> by = {};
};

constexpr std::uintptr_t word_bytes = 8;
constexpr std::uintptr_t words_of_line = 8;
constexpr unsigned table_bits = 20;
constexpr std::size_t table_size = std::size_t(1) << table_bits;

std::array<entry, table_size> table;
std::atomic<bool> is_on = false;
std::atomic<std::size_t> counts[most_threads];
thread_local int own_number = -1; // -1: it is not watched

entry& entry_of(std::uintptr_t word)
{
    for (std::size_t at = word * 0x9e3779b97f4a7c15U >> (64 - table_bits);; at = (at + 1) % table_size) {
        std::uintptr_t known = table[at].word.load(std::memory_order_relaxed);
        if (known == 0 && table[at].word.compare_exchange_strong(known, word))
            return table[at];
        if (known == word)
            return table[at];
    }
}

// Of code that has frame pointers, as all has that calls the recorder.
[[gnu::noinline]] place callers()
{
    constexpr std::ptrdiff_t longest_frame = 1 << 13; // in pointers
    constexpr int own_frames = 2;                     // of `note` and the function that the compiler calls
    place found{};
    auto frame = static_cast<const void* const*>(__builtin_frame_address(0));
    for (int at = -own_frames; at != static_cast<int>(found.size()); ++at) {
        if (at >= 0)
            found[static_cast<std::size_t>(at)] = frame[1];
        const auto next = static_cast<const void* const*>(frame[0]);
        if (next <= frame || next - frame > longest_frame)
            break;
        frame = next;
    }
    return found;
}

[[gnu::noinline]] void note(const volatile void* memory, std::size_t size, use how)
{
    if (own_number < 0 || !is_on.load(std::memory_order_relaxed) || size == 0)
        return;
    const auto number = static_cast<unsigned>(own_number);
    counts[number].fetch_add(1, std::memory_order_relaxed);
    const auto first = reinterpret_cast<std::uintptr_t>(memory);
    for (std::uintptr_t word = first / word_bytes; word <= (first + size - 1) / word_bytes; ++word) {
        place& known = entry_of(word).by[number][how];
        if (!known[0])
            known = callers();
    }
}

// In the program itself.
std::string text_of(const place& all)
{
    ::Dl_info about{};
    if (::dladdr(&table, &about) == 0)
        return "?";
    std::ostringstream command;
    command << "addr2line -Cfpise " << about.dli_fname << std::hex;
    for (const void* const one : all) {
        if (one)
            command << " 0x" << static_cast<const char*>(one) - static_cast<const char*>(about.dli_fbase) - 1;
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.str().c_str(), "r"), &::pclose);
    std::string said;
    std::array<char, 4096> some{};
    while (pipe && std::fgets(some.data(), some.size(), pipe.get()))
        said += std::string("      ") + some.data();
    return said;
}

bool has_used(const entry& one, unsigned thread)
{
    return one.by[thread][reads][0] || one.by[thread][writes][0];
}

bool has_written(const entry& one, unsigned thread)
{
    return one.by[thread][writes][0] != nullptr;
}

// A thread has written one of them, and another thread has used one.
bool are_shared(const std::vector<const entry*>& words)
{
    for (unsigned i = 0; i != most_threads; ++i) {
        const unsigned other = 1 - i;
        const bool is_written = std::ranges::any_of(words, [=](auto* one) { return has_written(*one, i); });
        if (is_written && std::ranges::any_of(words, [=](auto* one) { return has_used(*one, other); }))
            return true;
    }
    return false;
}

bool has_shared_word(const std::vector<const entry*>& line)
{
    return std::ranges::any_of(line, [](auto* one) { return are_shared({one}); });
}

// The first shared word, else all: addr2line takes its time.
void describe(const std::vector<const entry*>& line, std::ostream& to)
{
    const auto word = std::ranges::find_if(line, [](auto* one) { return are_shared({one}); });
    const bool is_word = word != line.end();
    to << (is_word ? "a word" : "neighbours on a line") << " at 0x" << std::hex << line.front()->word * word_bytes
       << std::dec << '\n';
    for (const entry* const one : is_word ? std::vector{*word} : line) {
        for (unsigned i = 0; i != most_threads; ++i) {
            for (const use how : {writes, reads}) {
                if (const place& code = one->by[i][how]; code[0])
                    to << "  thread " << i << (how == writes ? " writes" : " reads") << " word "
                       << one->word % words_of_line << '\n'
                       << text_of(code);
            }
        }
    }
}

std::map<std::uintptr_t, std::vector<const entry*>> lines()
{
    std::map<std::uintptr_t, std::vector<const entry*>> all;
    for (const entry& one : table) {
        if (one.word != 0)
            all[one.word / words_of_line].push_back(&one);
    }
    return all;
}

} // namespace

void watch(unsigned number)
{
    if (number >= most_threads)
        throw std::invalid_argument("so many threads can't be watched");
    own_number = static_cast<int>(number);
}

void start()
{
    for (entry& one : table) {
        if (one.word == 0)
            continue; // no memory is taken for what is not used
        one.by = {};
        one.word = 0;
    }
    for (auto& one : counts)
        one = 0;
    is_on = true;
}

void stop()
{
    is_on = false;
}

std::size_t accesses()
{
    std::size_t all = 0;
    for (const auto& one : counts)
        all += one;
    return all;
}

shared_memory shared()
{
    shared_memory found;
    for (const auto& [number, words] : lines()) {
        if (are_shared(words))
            ++(has_shared_word(words) ? found.words : found.neighbours);
    }
    return found;
}

std::string describe_shared()
{
    std::ostringstream all;
    for (const auto& [number, words] : lines()) {
        if (are_shared(words))
            describe(words, all);
    }
    return all.str();
}

} // namespace partyline::test::recorder

using namespace partyline::test::recorder;

// clang-format off: a function a line
// NOLINTBEGIN(bugprone-reserved-identifier): the names that the compiler and the linker call
#define PLAIN(size)                                                                                                    \
    void __tsan_read##size(void* at) { note(at, size, reads); }                                                        \
    void __tsan_write##size(void* at) { note(at, size, writes); }                                                      \
    void __tsan_unaligned_read##size(void* at) { note(at, size, reads); }                                              \
    void __tsan_unaligned_write##size(void* at) { note(at, size, writes); }                                            \
    void __tsan_read_write##size(void* at) { note(at, size, writes); }                                                 \
    void __tsan_unaligned_read_write##size(void* at) { note(at, size, writes); }

#define CHANGE(bits, type, name)                                                                                       \
    type __tsan_atomic##bits##_##name(volatile type* at, type value, int)                                              \
    {                                                                                                                  \
        note(at, sizeof value, writes);                                                                                \
        return __atomic_##name(at, value, __ATOMIC_SEQ_CST);                                                           \
    }

#define COMPARE(bits, type, name, is_weak)                                                                             \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type* at, type* expected, type wanted, int, int)        \
    {                                                                                                                  \
        note(at, sizeof wanted, writes);                                                                               \
        return __atomic_compare_exchange_n(at, expected, wanted, is_weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);         \
    }

#define ATOMIC(bits, type)                                                                                             \
    type __tsan_atomic##bits##_load(const volatile type* at, int)                                                      \
    {                                                                                                                  \
        note(at, sizeof *at, reads);                                                                                   \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                                  \
    }                                                                                                                  \
    void __tsan_atomic##bits##_store(volatile type* at, type value, int)                                               \
    {                                                                                                                  \
        note(at, sizeof value, writes);                                                                                \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                                 \
    }                                                                                                                  \
    type __tsan_atomic##bits##_exchange(volatile type* at, type value, int)                                            \
    {                                                                                                                  \
        note(at, sizeof value, writes);                                                                                \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                                       \
    }                                                                                                                  \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type* at, type expected, type wanted, int, int)           \
    {                                                                                                                  \
        note(at, sizeof wanted, writes);                                                                               \
        __atomic_compare_exchange_n(at, &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                 \
        return expected;                                                                                               \
    }                                                                                                                  \
    CHANGE(bits, type, fetch_add)                                                                                      \
    CHANGE(bits, type, fetch_sub)                                                                                      \
    CHANGE(bits, type, fetch_and)                                                                                      \
    CHANGE(bits, type, fetch_or)                                                                                       \
    CHANGE(bits, type, fetch_xor)                                                                                      \
    CHANGE(bits, type, fetch_nand)                                                                                     \
    COMPARE(bits, type, strong, false)                                                                                 \
    COMPARE(bits, type, weak, true)

#define MUTEX(name, type)                                                                                              \
    int __real_##name(type*);                                                                                          \
    int __wrap_##name(type* at)                                                                                        \
    {                                                                                                                  \
        note(at, sizeof *at, writes);                                                                                  \
        return __real_##name(at);                                                                                      \
    }

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
void __tsan_vptr_read(void** at) { note(at, sizeof *at, reads); }
void __tsan_vptr_update(void** at, void*) { note(at, sizeof *at, writes); }
void __tsan_read_range(void* at, std::size_t size) { note(at, size, reads); }
void __tsan_write_range(void* at, std::size_t size) { note(at, size, writes); }
void* __tsan_memcpy(void* to, const void* from, std::size_t size)
{
    note(from, size, reads);
    note(to, size, writes);
    return std::memcpy(to, from, size);
}
void* __tsan_memmove(void* to, const void* from, std::size_t size)
{
    note(from, size, reads);
    note(to, size, writes);
    return std::memmove(to, from, size);
}
void* __tsan_memset(void* to, int value, std::size_t size)
{
    note(to, size, writes);
    return std::memset(to, value, size);
}
ATOMIC(8, std::uint8_t)
ATOMIC(16, std::uint16_t)
ATOMIC(32, std::uint32_t)
ATOMIC(64, std::uint64_t)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}
MUTEX(pthread_mutex_lock, pthread_mutex_t)
MUTEX(pthread_mutex_trylock, pthread_mutex_t)
MUTEX(pthread_mutex_unlock, pthread_mutex_t)
MUTEX(pthread_rwlock_rdlock, pthread_rwlock_t)
MUTEX(pthread_rwlock_wrlock, pthread_rwlock_t)
MUTEX(pthread_rwlock_unlock, pthread_rwlock_t)
MUTEX(pthread_cond_signal, pthread_cond_t)
MUTEX(pthread_cond_broadcast, pthread_cond_t)

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
// clang-format on
