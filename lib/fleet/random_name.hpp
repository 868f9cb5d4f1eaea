#pragma once

#include <string>

namespace partyline::fleet {

/// A name that no front and no worker has had before: 128 random bits. Throws `boost::system::system_error` where the
/// system has none.
std::string random_name();

} // namespace partyline::fleet
