#pragma once

#include "mcp/fixture_server.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>

namespace partyline::test {

/// Sends the request of each row, with the id 7, to a server of each revision from the row's `since` to its `until`.
/// `read(server, row, r)` reads the answer.
template <class Row, std::size_t Count, class Read>
void request_in_each_revision(const Row (&rows)[Count], Read read)
{
    for (const mcp::revision r : all_revisions) {
        fixture_server s(r);
        for (const Row& what : rows) {
            if (r < what.since || r > what.until)
                continue;
            BOOST_TEST_CONTEXT(to_string(r) << ": " << what.method << ' ' << what.params)
            {
                s.request("7", r, what.method, what.params);
                read(s, what, r);
            }
        }
        s.finish();
    }
}

} // namespace partyline::test
