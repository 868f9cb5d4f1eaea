#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/mcp/state_keys.hpp> is now <partyline/mcp/server/state_keys.hpp>")

#include <partyline/mcp/server/state_keys.hpp>
