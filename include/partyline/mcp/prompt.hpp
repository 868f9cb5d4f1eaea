#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/mcp/prompt.hpp> is now <partyline/mcp/server/prompt.hpp>")

#include <partyline/mcp/server/prompt.hpp>
