#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/mcp/client_errc.hpp> is now <partyline/mcp/client/client_errc.hpp>")

#include <partyline/mcp/client/client_errc.hpp>
