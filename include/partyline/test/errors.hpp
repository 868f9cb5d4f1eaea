#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/test/errors.hpp> is now <partyline/testing/errors.hpp>")

#include <partyline/testing/errors.hpp>
