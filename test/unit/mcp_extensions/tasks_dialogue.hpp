#pragma once

#include "unit/mcp/server/mcp_dialogue.hpp"

#include <partyline/mcp_extensions/server_tasks.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace partyline::test {

constexpr std::string_view declaring = R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";

/// A dialogue with a server that has tasks, whose client declares them.
struct tasks_dialogue : mcp_dialogue {
    mcp::server_tasks_options settings;
    std::optional<mcp::server_tasks> tasks{std::in_place, server, settings};

    /// A server anew, with the settings as they are.
    void renew();

    template <class F>
    void add(std::string name, F function)
    {
        add(std::move(name), std::move(function), tasks->optional());
    }
    template <class F>
    void add(std::string name, F function, mcp::task_middleware how)
    {
        mcp::tool_options with;
        with.run.around_requests.add(std::move(how));
        server.add_tool(std::move(name), "A tool", std::move(function), std::move(with));
    }

    /// The result of a call that is answered by a task.
    boost::json::object call_task(std::string_view tool);
    std::string id_of(std::string_view tool);
    /// The answer to a client that declares nothing.
    std::string call_plainly(std::string_view tool);
    boost::json::object get(std::string_view id);
    /// Asks for the task, again and again while other things happen, until it works no more. Fails the test after 20 s.
    boost::json::object wait_for_end(std::string_view id);
    /// The same; it has to have that status then.
    boost::json::object wait_for(std::string_view id, std::string_view status);
    std::string update(std::string_view id, std::string_view answers);
    std::string cancel_task(std::string_view id);
};

/// The answer that says nothing.
std::string modern_empty();

} // namespace partyline::test
