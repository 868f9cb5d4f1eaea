#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <string_view>

namespace partyline::test {

/// A target's input: a first line that steers the run, and behind it the bytes under test.
/// Each byte of the first line is one decision, '0' the first choice: so seeds can be written and read by hand.
class fuzz_input {
public:
    fuzz_input(const std::uint8_t* data, std::size_t size)
    {
        const std::string_view all(reinterpret_cast<const char*>(data), size);
        const std::size_t newline = all.find('\n');
        decisions_ = all.substr(0, newline);
        if (newline != all.npos)
            text_ = all.substr(newline + 1);
    }

    std::string_view text() const { return text_; }

    /// A number below `count`; 0 once the first line is used up.
    std::size_t choose(std::size_t count)
    {
        if (next_ == decisions_.size())
            return 0;
        return static_cast<std::uint8_t>(decisions_[next_++] - '0') % count;
    }
    std::size_t choose_of(std::initializer_list<std::size_t> values) { return values.begin()[choose(values.size())]; }

    /// The same for as long as it is asked: begins again with the decisions that were left when it was first asked.
    std::size_t choose_again(std::size_t count)
    {
        if (first_of_cycle_ > next_)
            first_of_cycle_ = next_;
        if (next_ == decisions_.size())
            next_ = first_of_cycle_;
        return choose(count);
    }

private:
    std::string_view decisions_;
    std::string_view text_ = ""; // not null, which memcpy would not take
    std::size_t next_ = 0;
    std::size_t first_of_cycle_ = static_cast<std::size_t>(-1);
};

/// Ends the program when something that must hold does not: the fuzzer keeps the input then.
inline void require(bool holds, const char* what, std::string_view about = "")
{
    if (holds)
        return;
    std::cerr << "does not hold: " << what << '\n' << about << std::endl;
    std::abort();
}

} // namespace partyline::test

/// What a target defines: runs one input. (libFuzzer's name for it.)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
