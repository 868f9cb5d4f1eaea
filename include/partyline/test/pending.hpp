#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/test/pending.hpp> is now <partyline/testing/pending.hpp>")

#include <partyline/testing/pending.hpp>
