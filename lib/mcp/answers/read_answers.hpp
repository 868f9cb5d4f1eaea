#pragma once

#include <partyline/mcp/client/answers.hpp>
#include <partyline/mcp/client/listed.hpp>
#include <partyline/mcp/revision.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace partyline::mcp {

// What a server has answered, taken apart. What is not as the protocol has it throws `failed_call`, see
// read_result.hpp.

/// The result as a value.
boost::json::value parse_result(std::string_view method, const json_text& result);

/// What kind a result is from 2026-07-28 on: "complete", where it says nothing.
std::string result_type(std::string_view method, const json_text& result);

tool_answer read_tool_answer(const json_text& result, era by);
resource_answer read_resource_answer(const json_text& result);
prompt_answer read_prompt_answer(const json_text& result);
completion_answer read_completion(const json_text& result);

} // namespace partyline::mcp
