#pragma once

#include "running_gateway.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// The real gateway in front of the fixture.
struct mcp_gateway {
    explicit mcp_gateway(std::vector<std::string> options = {}, std::vector<std::string> fixture_options = {});

    /// Begins a session, with these fields besides, and returns the field that names it.
    static std::string greet(http_client& client, const std::string& fields = {});
    static std::string call(int id, std::string_view tool, std::string_view meta = "{}");

    running_gateway gateway;
};

} // namespace partyline::test
