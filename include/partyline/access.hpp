#pragma once

/// All that is needed to authenticate peers by an access file and to authorize their calls.

#include <partyline/access/gate.hpp>
