#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/test/client.hpp> is now <partyline/testing/client.hpp>")

#include <partyline/testing/client.hpp>
