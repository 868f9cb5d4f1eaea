#include "mcp_extensions/tasks/tasks_core.hpp"

#include "mcp_extensions/tasks/task_access.hpp"
#include "mcp_extensions/tasks/task_call.hpp"
#include "mcp_extensions/tasks/task_texts.hpp"

#include <partyline/mcp/server/requester.hpp>
#include <partyline/mcp/tool_error.hpp>

#include <boost/json/value.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

[[noreturn]] void throw_unknown_task(const std::string& id)
{
    throw rpc_error(partyline::error_codes::invalid_params, "Unknown task", json::object{{"taskId", shortened(id)}});
}

void check_task_time(std::chrono::milliseconds time, const char* name)
{
    if (time < std::chrono::milliseconds(1) || time > std::chrono::hours(24 * 365))
        throw std::invalid_argument(std::string("server_tasks_options::") + name + ": from a millisecond to a year");
}

server_tasks_options checked_task_options(server_tasks_options options)
{
    check_task_time(options.ttl, "ttl");
    check_task_time(options.poll_interval, "poll_interval");
    return options;
}

// The server's tasks go right now.
[[noreturn]] void throw_no_more_tasks()
{
    throw rpc_error(partyline::error_codes::server_busy, "Server busy", json::object{{"reason", "no more tasks"}});
}

constexpr std::size_t few_members = std::size_t(4) << 10; // besides the params of a call, or the result in tasks/get

// The bounds of a session that calls a tool with so many bytes of params. They leave room for what tasks/get has around
// the result in the session of the request: a result that could not be fetched is an error instead. (Where the params
// alone are about as long as a message may be, there is no room to leave.)
limits lowered(limits bounds, const request_context& rpc, std::size_t params)
{
    const std::size_t most = std::min(bounds.message_bytes, rpc.max_message_bytes());
    bounds.message_bytes = std::max(most - std::min(most, few_members), params + few_members);
    bounds.depth = std::min(bounds.depth, rpc.max_depth());
    if (bounds.depth > 1)
        --bounds.depth;
    return bounds;
}

} // namespace

tasks_core::tasks_core(std::weak_ptr<const served_methods> methods, server_tasks_options options)
    : methods_(std::move(methods)), options_(checked_task_options(std::move(options))),
      store_({options_.ttl, options_.max_tasks, options_.max_tasks_of_principal, options_.max_bytes,
              options_.max_bytes_of_principal})
{
}

bool tasks_core::takes(const request_context& rpc, json_view params, task_start start, task_support support) const
{
    if (rpc.method() != "tools/call" || is_task_of(this, rpc) || methods_.expired())
        return false;
    const requester client(rpc);
    const bool has_tasks = client.era() == era::modern && client.extension(tasks_extension) && may_poll(rpc);
    if (!has_tasks && support == task_support::required)
        throw missing_capability({{"extensions", json::object{{tasks_extension, json::object()}}}});
    return has_tasks && (start == task_start::at_once || brings_answers(params));
}

std::optional<json::object> tasks_core::start(request_context& rpc, json_view params, task_support support)
{
    const std::string id = make_task_id();
    std::string text(params.text());
    std::optional<json::object> answer = add(id, owner_of(rpc), text, support);
    if (!answer)
        return std::nullopt;
    try {
        (*answer)["resultType"] = "task";
        run(rpc, id, 1, std::move(text));
    } catch (...) {
        const std::lock_guard lock(mutex_);
        store_.drop(id);
        throw;
    }
    return answer;
}

std::optional<json::object> tasks_core::add(const std::string& id, task_owner owner, std::string params,
                                            task_support support)
{
    const std::lock_guard lock(mutex_);
    const task_time now = task_time::now();
    if (is_closed_)
        return std::nullopt;
    if (support == task_support::optional && !store_.has_room_for(owner, params.size(), now))
        return std::nullopt;
    const task_record& made = store_.add(id, std::move(owner), std::move(params), now);
    try {
        return made.describe(options_.poll_interval);
    } catch (...) {
        store_.drop(id);
        throw;
    }
}

session_options tasks_core::options_for(request_context& rpc, const std::string& tool, std::size_t params) const
{
    session_options made;
    if (options_.configure_session)
        options_.configure_session(rpc, made);
    made.bounds = lowered(made.bounds, rpc, params);
    made.peer = std::make_shared<const peer_identity>(rpc.peer());
    made.access = std::make_shared<const task_access>(rpc.access(), tool, this);
    return made;
}

void tasks_core::run(request_context& rpc, const std::string& id, unsigned round, std::string params)
{
    const std::shared_ptr<const served_methods> methods = methods_.lock();
    if (!methods)
        throw_no_more_tasks();
    const std::string tool = tool_in(json_view::checked(params));
    const auto made = std::make_shared<task_run>(shared_from_this(), task_run::identity{id, round, tool},
                                                 rpc.get_executor(), *methods, options_for(rpc, tool, params.size()));
    made->start(std::move(params));
    bool is_wanted = false;
    {
        const std::lock_guard lock(mutex_);
        if (task_record* const one = store_.find_working(id, round)) {
            one->run = made;
            is_wanted = true;
        }
    }
    if (!is_wanted) // cancelled meanwhile
        made->cancel();
}

// Under the lock.
task_record& tasks_core::find(const std::string& id, const task_owner& by)
{
    task_record* const one = store_.find(id, by, task_time::now());
    if (!one)
        throw_unknown_task(id);
    return *one;
}

json_text tasks_core::get(const request_context& rpc, const std::string& id)
{
    const task_owner by = owner_of(rpc);
    const task_detail known = [&] {
        const std::lock_guard lock(mutex_);
        return find(id, by).detail(options_.poll_interval);
    }();
    return json_text(known.text());
}

bool tasks_core::wants_answers(const std::string& id, const task_owner& by)
{
    const std::lock_guard lock(mutex_);
    return find(id, by).status() == task_status::input_required;
}

// Nothing: questions are left, or there were none.
std::optional<task_round> tasks_core::answer(const std::string& id, const task_owner& by, task_answers answers)
{
    std::optional<task_round> next;
    const std::size_t brought = answers.size();
    {
        const std::lock_guard lock(mutex_);
        task_record& one = find(id, by);
        if (store_.answer(one, answers, task_time::now()))
            next = one.take_round();
    }
    if (answers.size() != brought) // some of them were for what it asks
        publish(id);
    return next;
}

// The task is looked up first: what is not for one that asks something is not read.
void tasks_core::update(request_context& rpc, const std::string& id, json_view brought)
{
    const task_owner by = owner_of(rpc);
    const bool is_wanted = wants_answers(id, by);
    check_answers(brought);
    if (!is_wanted)
        return;
    const std::optional<task_round> next = answer(id, by, answers_in(brought));
    if (!next)
        return;
    try {
        run(rpc, id, next->number, next->text());
    } catch (...) {
        on_lost(id, next->number, task_loss::not_called);
        throw;
    }
}

void tasks_core::cancel(const request_context& rpc, const std::string& id)
{
    const task_owner by = owner_of(rpc);
    std::shared_ptr<running_task> run;
    {
        const std::lock_guard lock(mutex_);
        task_record& one = find(id, by);
        run = one.run.lock();
        if (!store_.cancel(one, task_time::now()))
            return;
    }
    publish(id);
    if (run)
        run->cancel();
}

void tasks_core::close() noexcept
{
    task_store::contents all;
    {
        const std::lock_guard lock(mutex_);
        is_closed_ = true;
        all = store_.clear();
    }
    for (const task_record& one : all.records)
        if (const std::shared_ptr<running_task> run = one.run.lock())
            run->cancel();
}

void tasks_core::on_message(const std::string& id, unsigned round, std::string_view message) noexcept
{
    try {
        const std::lock_guard lock(mutex_);
        task_record* const one = store_.find_working(id, round);
        if (!one)
            return;
        one->on_message(message, task_time::now());
    } catch (...) { // no memory: the next one may come through
        return;
    }
    publish(id);
}

void tasks_core::on_outcome(const std::string& id, unsigned round, response outcome)
{
    constexpr const char* asks_nothing = "The tool wants answers and asks nothing";
    std::optional<task_questions> asked;
    std::string text;
    if (outcome)
        asked = questions_in(*outcome);
    const bool has_failed = !outcome || (asked && asked->requests.empty());
    if (!outcome)
        text = error_text(outcome.error() ? std::optional(*outcome.error()) : std::nullopt);
    else if (has_failed)
        text = error_text(error_object{partyline::error_codes::internal_error, asks_nothing, {}});
    else if (!asked)
        text = outcome->text();
    {
        const std::lock_guard lock(mutex_);
        task_record* const one = store_.find_working(id, round);
        if (!one)
            return;
        if (has_failed)
            store_.fail(*one, std::move(text), task_time::now());
        else if (asked)
            store_.ask(*one, *std::move(asked), task_time::now());
        else
            store_.complete(*one, std::move(text), task_time::now());
    }
    publish(id);
}

bool tasks_core::on_lost(const std::string& id, unsigned round, task_loss why) noexcept
{
    {
        const std::lock_guard lock(mutex_);
        task_record* const one = store_.find_working(id, round);
        if (!one)
            return false;
        store_.lose(*one, why, task_time::now());
    }
    publish(id);
    return true;
}

} // namespace partyline::mcp
