#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/client/answers.hpp>
#include <partyline/mcp/client/call_hooks.hpp>
#include <partyline/mcp/log_level.hpp>
#include <partyline/session/call_params.hpp>
#include <partyline/session/task.hpp>

#include <map>
#include <memory>
#include <string>

namespace partyline::mcp {

class client_core;
using client_core_ptr = std::shared_ptr<client_core>;

// What a client's operations do, on the session's executor; see client.hpp.

task<void> start(client_core_ptr of);
task<void> close(client_core_ptr of);
PARTYLINE_EXPORT task<void> ping(client_core_ptr of);
PARTYLINE_EXPORT task<void> set_log_level(client_core_ptr of, log_level level);
PARTYLINE_EXPORT task<tool_answer> call_tool(client_core_ptr of, std::string name, call_params arguments,
                                             call_hooks hooks);
PARTYLINE_EXPORT task<resource_answer> read_resource(client_core_ptr of, std::string uri, call_hooks hooks);
PARTYLINE_EXPORT task<prompt_answer> get_prompt(client_core_ptr of, std::string name, call_params arguments,
                                                call_hooks hooks);
PARTYLINE_EXPORT task<void> subscribe(client_core_ptr of, std::string uri);
PARTYLINE_EXPORT task<void> unsubscribe(client_core_ptr of, std::string uri);
PARTYLINE_EXPORT task<completion_answer> complete(client_core_ptr of, completion_target target, std::string argument,
                                                  std::string value, std::map<std::string, std::string> known);
PARTYLINE_EXPORT task<json_text> request(client_core_ptr of, std::string method, call_params params, call_hooks hooks);

} // namespace partyline::mcp
