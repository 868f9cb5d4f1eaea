#pragma once

#include "support/scripted_session.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace partyline::test {

/// Every kind of fault, without its step.
const std::vector<fault>& all_faults();

/// Plays a script to its end.
session_record perform(const script& played, connection::kind what, const fault& planned);

/// What is wrong with a conversation that had a fault, given the one that had none; each a sentence. Nothing may hang,
/// be left over, be said twice or be made up; what the session claims to have done must have been done; and what only
/// takes longer changes nothing.
std::vector<std::string> find_problems(const session_record& clean, const session_record& faulty, const fault& planned);

/// Plays a script once without a fault, and then again with every fault at every step that it took. Reports problems to
/// Boost.Test, prints how many runs failed at a step, and fails unless they are as many as steps times faults.
void for_each_step_failing(const script& played, connection::kind what);

} // namespace partyline::test
