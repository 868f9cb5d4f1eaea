#pragma once

#include <partyline/protocol/json_text.hpp>

#include <string>
#include <vector>

namespace call {

/// The params that the words behind the method are: none, one JSON text that begins with { or [ and is sent as it is,
/// or name=value for each member of an object, where a value that is no JSON is a string. Throws
/// `std::invalid_argument` with a text for the user.
partyline::json_text params_of(const std::vector<std::string>& words);

} // namespace call
