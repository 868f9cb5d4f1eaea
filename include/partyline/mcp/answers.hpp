#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/mcp/answers.hpp> is now <partyline/mcp/client/answers.hpp>")

#include <partyline/mcp/client/answers.hpp>
