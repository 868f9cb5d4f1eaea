#pragma once

#include <partyline/mcp/client/answers.hpp>
#include <partyline/mcp/client/call_hooks.hpp>
#include <partyline/session/task.hpp>

#include <memory>
#include <string>

namespace partyline::mcp {

class client_core;

/// Whether structured results of the server's tools are to be checked. Throws `failed_call` where it is not known yet
/// who the server is.
bool checks_results(const client_core& of);

/// Calls a tool, and holds its structured result against the schema that the tool is listed with: see
/// `client::call_tool`. `members`: of the params, as JSON text without the braces.
task<tool_answer> checked_call(std::shared_ptr<client_core> of, std::string name, std::string members,
                               call_hooks hooks);

} // namespace partyline::mcp
