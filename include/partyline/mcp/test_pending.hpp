#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/mcp/test_pending.hpp> is now <partyline/mcp/testing/test_pending.hpp>")

#include <partyline/mcp/testing/test_pending.hpp>
