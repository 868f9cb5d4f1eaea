#pragma once

#include <partyline/mcp/mcp.hpp>

#include <boost/describe.hpp>

#include <vector>

namespace mcp_test {

struct confirm {
    bool yes = false;
};
BOOST_DESCRIBE_STRUCT(confirm, (), (yes))

/// A server whose tools ask, where `run` says: "clean" the form "sure"; "ask_all" a "form", a "page", "sample" and
/// "roots" at once; "ask_in_turn" all but the form, one after the other; "forgive" the form "sure", and it goes on
/// without an answer.
partyline::mcp::server asking_server(const partyline::mcp::run_options& run = {});

inline const std::vector<partyline::mcp::root> home{{"file:///home", "home"}};

} // namespace mcp_test
