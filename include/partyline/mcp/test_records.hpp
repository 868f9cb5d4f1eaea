#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/mcp/test_records.hpp> is now <partyline/mcp/testing/test_records.hpp>")

#include <partyline/mcp/testing/test_records.hpp>
