#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/mcp/client_options.hpp> is now <partyline/mcp/client/client_options.hpp>")

#include <partyline/mcp/client/client_options.hpp>
