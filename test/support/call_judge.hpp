#pragma once

#include "support/play.hpp"

#include <string>
#include <vector>

namespace partyline::test {

/// What must not have become of a session's calls. Each comes to one end: to what it comes to without the fault, or to
/// a failure that is documented.
std::vector<std::string> find_call_problems(const play_record& clean, const play_record& faulty, const fault& planned);

} // namespace partyline::test
