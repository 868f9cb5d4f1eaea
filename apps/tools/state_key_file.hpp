#pragma once

#include <partyline/mcp/server.hpp>

#include <string>

namespace tools {

/// Has the server sign by the keys of a file (`--state-keys`). Throws `std::runtime_error` with a text for the user,
/// and then the keys stay.
void use_state_keys(partyline::mcp::server& server, const std::string& file);

/// The same again, and says how it went.
void reload_state_keys(partyline::mcp::server& server, const std::string& file);

} // namespace tools
