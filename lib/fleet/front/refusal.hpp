#pragma once

#include "fleet/front/front_effects.hpp"

#include <partyline/protocol/error.hpp>

namespace partyline::fleet {

/// What the client of a call is told that has ended without an answer of its worker. Not of `answered`.
error_object refusal_of(const call_settled& call);

/// What whoever has asked for a session is told that was not opened. Nothing was done, whatever is known.
error_object refusal_of_opening(front_outcome why);

} // namespace partyline::fleet
