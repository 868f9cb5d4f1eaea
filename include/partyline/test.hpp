#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/test.hpp> is now <partyline/testing.hpp>")

#include <partyline/testing.hpp>
