#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/test/records.hpp> is now <partyline/testing/records.hpp>")

#include <partyline/testing/records.hpp>
