#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/mcp/call_hooks.hpp> is now <partyline/mcp/client/call_hooks.hpp>")

#include <partyline/mcp/client/call_hooks.hpp>
