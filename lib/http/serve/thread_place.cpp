#include "http/serve/thread_place.hpp"

#include "protocol/json/fill_random.hpp"

#include <bit>

namespace partyline::http {
namespace {

thread_place::key random_key()
{
    thread_place::key made{};
    fill_random(made.data(), sizeof made);
    return made;
}

struct sip_state {
    std::uint64_t a, b, c, d;

    void mix() noexcept
    {
        a += b;
        b = std::rotl(b, 13) ^ a;
        a = std::rotl(a, 32);
        c += d;
        d = std::rotl(d, 16) ^ c;
        a += d;
        d = std::rotl(d, 21) ^ a;
        c += b;
        b = std::rotl(b, 17) ^ c;
        c = std::rotl(c, 32);
    }
    void take(std::uint64_t word) noexcept
    {
        d ^= word;
        mix();
        mix();
        a ^= word;
    }
};

} // namespace

thread_place::thread_place(std::size_t count) : thread_place(count, random_key()) {}

std::uint64_t thread_place::hash(std::string_view text) const noexcept
{
    sip_state state{key_[0] ^ 0x736f6d6570736575, key_[1] ^ 0x646f72616e646f6d, key_[0] ^ 0x6c7967656e657261,
                    key_[1] ^ 0x7465646279746573};
    std::uint64_t word = 0;
    for (std::size_t i = 0; i != text.size(); ++i) {
        word |= std::uint64_t(static_cast<unsigned char>(text[i])) << (i % 8 * 8);
        if (i % 8 == 7) {
            state.take(word);
            word = 0;
        }
    }
    state.take(word | std::uint64_t(text.size()) << 56);
    state.c ^= 0xff;
    for (int i = 0; i != 4; ++i)
        state.mix();
    return state.a ^ state.b ^ state.c ^ state.d;
}

} // namespace partyline::http
