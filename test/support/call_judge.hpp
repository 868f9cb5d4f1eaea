#pragma once

#include "support/scripted_session.hpp"

#include <string>
#include <vector>

namespace partyline::test {

/// What must not have become of a session's calls. Each comes to one end: to what it comes to without the fault, or to
/// a failure that is documented.
std::vector<std::string> find_call_problems(const session_record& clean, const session_record& faulty,
                                            const fault& planned);

} // namespace partyline::test
