#pragma once

#include "asker.hpp"
#include "call/options.hpp"
#include "call/output/status_output.hpp"
#include "call/session/connection.hpp"

#include <partyline/mcp/client.hpp>

#include <memory>

namespace call {

/// How the client goes about things.
partyline::mcp::client_options client_options_for(const options& wanted, partyline::session_options session);

/// The folders of `--root`. Throws `std::invalid_argument` with a text for the user, for what is no folder.
std::vector<partyline::mcp::root> roots_of(const mcp_options& wanted);

/// A client over the stream, which is moved from.
partyline::mcp::client make_client(server_stream& over, partyline::mcp::client_options how);

/// Has questions answered: as `--answer` says, or by the user, where there is a terminal; else the server is told that
/// there is nobody to be asked, and this is null.
std::shared_ptr<asker> answer_questions(partyline::mcp::client& client, const options& wanted, status_output& shown);

} // namespace call
