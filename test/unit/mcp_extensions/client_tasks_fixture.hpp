#pragma once

#include "unit/mcp/client/scripted_server.hpp"

#include <partyline/mcp_extensions/client_tasks.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace partyline::test {

inline constexpr const char* has_tasks = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";
inline constexpr const char* of_t1 = R"({"taskId":"t1"})";
inline constexpr std::string_view soon = R"(,"pollIntervalMs":0)";
inline constexpr std::string_view in_an_hour = R"(,"pollIntervalMs":3600000)";

inline constexpr const char* busy_refusal = R"({"code":-31001,"message":"Server busy"})";
inline constexpr const char* quota_refusal =
    R"({"code":-31002,"message":"Too many requests","data":{"retry_after_ms":1}})";

/// As the server says it: the task "t1" in this state, with further members.
inline std::string task_text(std::string_view type, std::string_view state, std::string_view more = soon)
{
    std::string text = R"({"resultType":")" + std::string(type) + R"(","taskId":"t1","status":")" + std::string(state);
    text += R"(","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":null)";
    return text.append(more) + '}';
}

inline std::string shown_question(std::string_view key)
{
    return '"' + std::string(key) +
           R"(":{"method":"elicitation/create","params":{"mode":"form","message":"Sure?",)"
           R"("requestedSchema":{"type":"object","properties":{"yes":{"type":"boolean"}}}}})";
}

inline std::string asking(std::string_view questions)
{
    return task_text("complete", "input_required",
                     R"(,"pollIntervalMs":0,"inputRequests":{)" + std::string(questions) + '}');
}

/// What has become of a task that is resumed.
struct resumed_task {
    std::optional<mcp::tool_answer> answer;
    std::exception_ptr failed;
    bool has_ended = false;
    boost::asio::cancellation_signal cancel;

    void begin(const boost::asio::any_io_executor& where, const mcp::client_tasks& by, mcp::call_hooks hooks = {})
    {
        co_spawn(where, by.resume("t1", std::move(hooks)),
                 boost::asio::bind_cancellation_slot(cancel.slot(),
                                                     [this](std::exception_ptr thrown, mcp::tool_answer made) {
                                                         failed = std::move(thrown);
                                                         answer = std::move(made);
                                                         has_ended = true;
                                                     }));
    }
    error_code code() const
    {
        try {
            if (failed)
                std::rethrow_exception(failed);
        } catch (const boost::system::system_error& thrown) {
            return thrown.code();
        }
        return {};
    }
};

/// A client with tasks, and the server that the test plays.
struct tasks_fixture : scripted_server {
    mcp::client_tasks_options how;
    std::optional<mcp::client_tasks> tasks;
    begun<mcp::tool_answer> called;
    resumed_task resumed;

    tasks_fixture()
    {
        how.poll_interval = how.min_poll_interval = std::chrono::milliseconds(1);
        how.max_poll_interval = std::chrono::hours(1);
    }

    void start(std::string_view capabilities = has_tasks)
    {
        tasks.emplace(client(), how);
        start_modern(capabilities);
    }
    void call(mcp::call_hooks hooks = {}) { client().call_tool("build", nullptr, std::move(hooks))(called.token()); }
    std::string expect_call() { return expect_request("tools/call", R"({"name":"build","arguments":{}})"); }
    std::string expect_get() { return expect_request("tasks/get", of_t1); }
    void expect_task_cancel() { expect_request("tasks/cancel", of_t1); }

    /// A call that has come to a task.
    void call_task(std::string_view more = soon, mcp::call_hooks hooks = {})
    {
        start();
        call(std::move(hooks));
        reply(expect_call(), task_text("task", "working", more));
    }
    void complete_task(std::string_view result = R"({"content":[{"type":"text","text":"done"}]})")
    {
        reply(expect_get(), task_text("complete", "completed", R"(,"result":)" + std::string(result)));
    }
    void elicit_yes(int& times)
    {
        client().on_elicit([&times](const mcp::elicit_request&) {
            ++times;
            return mcp::elicit_answer::accept(boost::json::object{{"yes", true}});
        });
    }
};

} // namespace partyline::test
