#pragma once

/// All that is needed to authenticate peers by an access file, to authorize their calls and to sign one's own.

#include <partyline/access/gate.hpp>
#include <partyline/access/sign_calls.hpp>
