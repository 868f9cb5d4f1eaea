#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/mcp/server_options.hpp> is now <partyline/mcp/server/server_options.hpp>")

#include <partyline/mcp/server/server_options.hpp>
