#include <partyline/mcp_extensions/server_tasks.hpp>

#include "mcp_extensions/tasks/tasks_core.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

method_table task_methods(const std::shared_ptr<tasks_core>& core)
{
    method_table made;
    made.add("tasks/get", [core](request_context& rpc, const std::string& id) { return core->get(rpc, id); },
             {"taskId"});
    made.add("tasks/update",
             [core](request_context& rpc, const std::string& id, json_view answers) { core->update(rpc, id, answers); },
             {"taskId", "inputResponses"});
    made.add("tasks/cancel", [core](request_context& rpc, const std::string& id) { core->cancel(rpc, id); },
             {"taskId"});
    return made;
}

listen_topic task_topic(const std::shared_ptr<tasks_core>& core)
{
    listen_topic_options how;
    how.may_listen = [weak = std::weak_ptr(core)](const request_context& rpc, const std::string& id) {
        const std::shared_ptr<tasks_core> known = weak.lock();
        return known && known->may_listen(rpc, id);
    };
    return {"taskIds", "notifications/tasks", std::move(how)};
}

} // namespace

task<request_result> task_middleware::operator()(request_context& rpc, json_view params, next_handler& next) const
{
    if (core_->takes(rpc, params, start_, support_)) {
        rpc.throw_if_cancelled(); // nobody would be told the id of the task
        if (std::optional<json::object> made = core_->start(rpc, params, support_))
            co_return *std::move(made);
    }
    co_return co_await next();
}

server_tasks::server_tasks(server& to, server_tasks_options options)
    : methods_(std::make_shared<const served_methods>(to.session_maker())),
      core_(std::make_shared<tasks_core>(methods_, std::move(options)))
{
    const listen_topic topic = task_topic(core_);
    core_->set_topic(topic);
    to.add_extension(std::string(tasks_extension), {}, task_methods(core_),
                     {.since = revision::v2026_07_28, .needs_client = true, .topics = {topic}});
}

server_tasks::~server_tasks()
{
    methods_.reset(); // no task is made from here on
    core_->close();
}

task_middleware server_tasks::optional(task_start start) const
{
    return {core_, start, task_support::optional};
}

task_middleware server_tasks::required(task_start start) const
{
    return {core_, start, task_support::required};
}

} // namespace partyline::mcp
