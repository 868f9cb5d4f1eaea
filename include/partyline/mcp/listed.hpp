#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/mcp/listed.hpp> is now <partyline/mcp/client/listed.hpp>")

#include <partyline/mcp/client/listed.hpp>
