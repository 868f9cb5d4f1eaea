#pragma once

#include "fleet/front/front_effects.hpp"

#include <partyline/protocol/error.hpp>

namespace partyline::fleet {

/// What the client of a call is told that has ended without an answer of its worker. Not of `answered`.
error_object refusal_of(const call_settled& call);

} // namespace partyline::fleet
