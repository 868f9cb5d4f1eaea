#pragma once

#include "mcp_extensions/tasks/task_record.hpp"

#include <partyline/protocol/json_text.hpp>

#include <optional>
#include <string>

namespace partyline::mcp {

// What the messages of a task say.

/// The name of the tool that the params of a "tools/call" name.
std::string tool_in(json_view params);

/// Whether the params of a "tools/call" have answers (`inputResponses`).
bool brings_answers(json_view params);

/// The questions in the result of a "tools/call"; nullopt where the tool asks nothing: it has returned.
std::optional<task_questions> questions_in(const json_text& result);

/// Throws `rpc_error` (-32602) where `inputResponses` is no object. Looks at its first byte only.
void check_answers(json_view input_responses);

/// The answers in the `inputResponses` of a "tasks/update", which are an object.
task_answers answers_in(json_view input_responses);

} // namespace partyline::mcp
