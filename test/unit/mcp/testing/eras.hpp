#pragma once

#include <partyline/mcp/testing/test_client.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

namespace mcp_test {

/// Does the same in either era.
template <class F>
void in_each_era(F what)
{
    for (const partyline::mcp::era era : {partyline::mcp::era::legacy, partyline::mcp::era::modern})
        BOOST_TEST_CONTEXT((era == partyline::mcp::era::legacy ? "legacy" : "modern"))
        {
            what(era);
        }
}

inline void expect_no_problems(const partyline::mcp::test_client& client)
{
    for (const std::string& problem : client.schema_problems())
        BOOST_ERROR(problem);
}

} // namespace mcp_test
