#pragma once

// The old name of this header, which goes with the next release.
#pragma message("<partyline/test/fake_context.hpp> is now <partyline/testing/fake_context.hpp>")

#include <partyline/testing/fake_context.hpp>
