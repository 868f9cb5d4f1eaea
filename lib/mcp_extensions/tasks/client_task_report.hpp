#pragma once

#include <partyline/mcp/client/answers.hpp>
#include <partyline/mcp_extensions/client_tasks.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace partyline::mcp {

/// What a server has said of a task at some time.
struct task_report {
    std::string id;
    client_task_state state = client_task_state::working;
    std::string message;
    std::optional<double> poll_interval_ms; ///< as the server says it: of any size and sign
    json_text payload; ///< `inputRequests`, `result` or `error`, by the state: an object, as it came
};

bool is_over(client_task_state state) noexcept;

// What is not as the extension has it throws `system_error` with client_errc::bad_result, which names the place.

/// The id of the task in the answer to `tools/call`. By it the task can be cancelled, whatever else is wrong there.
std::string read_created_id(const json_text& result);
/// Of the answer to `tools/call`: a task without payload.
task_report read_created_task(const json_text& result);
/// Of the answer to `tasks/get`, of the task that was asked for.
task_report read_task(const json_text& result, std::string_view id);
/// What the task asks; empty where it does not ask.
boost::json::object read_questions(const task_report& of);
/// The result of a task that has ended. Throws what the call fails with where there is none.
json_text take_result(task_report& of);

/// The result of a tool, as `client::call_tool` reads one: what it throws, such as for numbers that are too large, a
/// plain call fails with.
tool_answer make_tool_answer(const json_text& result);

/// Throws that something is not as the extension has it: "tasks/get: at the result.taskId: expected a string, got
/// null".
[[noreturn]] void refuse_report(std::string_view method, std::string_view place, std::string_view expected,
                                std::string_view got);

} // namespace partyline::mcp
