#pragma once

#include "fuzz/fuzz_input.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// A request as Boost.Beast reads it.
struct judged_request {
    std::string method;
    std::string target;
    std::string body;
    std::size_t used = 0; // of the bytes
};

/// Has Beast read a request, whatever the size of its parts. It must be one, and whole.
judged_request judge_request(std::string_view text);

/// Cuts bytes as the decisions say.
std::vector<std::string_view> cut(std::string_view text, fuzz_input& input);

} // namespace partyline::test
