#pragma once

#include "fleet/front/front_effects.hpp"

#include <partyline/fleet/totals.hpp>

namespace partyline::fleet {

/// What whoever has asked for a session is told where its opening has ended so: nothing has run, so it may ask again.
front_outcome outcome_of_opening(front_outcome why) noexcept;

/// Counts a call that has ended so, by the answer that it gets: see refusal.cpp.
void count_outcome(front_totals& to, front_outcome outcome, bool may_have_run);

} // namespace partyline::fleet
