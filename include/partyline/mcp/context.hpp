#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/mcp/context.hpp> is now <partyline/mcp/server/context.hpp>")

#include <partyline/mcp/server/context.hpp>
