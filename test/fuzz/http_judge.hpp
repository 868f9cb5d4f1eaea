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

/// A response as Boost.Beast reads it.
struct judged_response {
    int status = 0;
    bool is_whole = false;
    bool is_last = false; // it says so, or goes on to the end of the connection
};

/// A response as Boost.Beast reads it, to its end or that of the connection; interim ones in front of it are left out.
struct judged_whole_response {
    int status = 0;
    std::string reason;
    std::string body;
    std::size_t used = 0; // of the bytes, interim responses included
    bool keeps_alive = false;
};

/// Has Beast read a response, whatever the size of its parts. It must be one, and whole.
judged_whole_response judge_response(std::string_view text, bool has_no_body);

/// Has Beast read what a server has sent: nothing but responses, the last of which may be cut off. `methods` are those
/// of the requests that they answer, in order. Interim responses are left out.
std::vector<judged_response> judge_responses(std::string_view text, const std::vector<std::string>& methods);

/// Cuts bytes as the decisions say.
std::vector<std::string_view> cut(std::string_view text, fuzz_input& input);

} // namespace partyline::test
