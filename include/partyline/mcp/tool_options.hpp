#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/mcp/tool_options.hpp> is now <partyline/mcp/server/tool_options.hpp>")

#include <partyline/mcp/server/tool_options.hpp>
