#pragma once

#include <string>
#include <vector>

namespace partyline::test {

/// A response as a client hears it.
struct heard_response {
    int status = 0;
    std::string session;               // what Mcp-Session-Id says
    std::vector<std::string> messages; // of its body: one of JSON, or one for each event
    bool is_complete = false;
};

/// What stands in all that has come over a connection. Throws `std::runtime_error` for what is no HTTP.
std::vector<heard_response> responses_in(const std::string& came);

} // namespace partyline::test
