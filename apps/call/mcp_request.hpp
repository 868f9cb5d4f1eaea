#pragma once

#include "call/input/request.hpp"
#include "mcp_options.hpp"

namespace call {

/// The request of the protocol that a call comes to: `echo {"a":1}` is `tools/call` of the tool `echo` with these
/// arguments. The label stays. A prompt's arguments become strings, as they have to be. Throws `std::invalid_argument`
/// with a text for the user, for params that are no object.
request protocol_request(mcp_options::named what, const request& call);

/// The arguments of a prompt, an object or empty, as strings. Throws as `protocol_request`.
partyline::json_text prompt_arguments(const partyline::json_text& given);

} // namespace call
