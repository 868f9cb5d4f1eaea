#include "mcp_extensions/tasks/tasks_core.hpp"

#include "mcp_extensions/tasks/task_access.hpp"
#include "mcp_extensions/tasks/task_texts.hpp"

#include <partyline/mcp/server/requester.hpp>
#include <partyline/mcp/tool_error.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

task_owner owner_of(const request_context& rpc)
{
    return {rpc.peer().source, rpc.peer().principal};
}

[[noreturn]] void throw_unknown_task(const std::string& id)
{
    throw rpc_error(partyline::error_codes::invalid_params, "Unknown task", json::object{{"taskId", id}});
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

// What the tool asks, if that is its result.
std::optional<task_questions> questions_in(const json_text& result)
{
    message_reader reader{limits()};
    const json_view all = json_view::checked(result.text());
    if (!result.text().starts_with('{') || reader.find_member(all, "resultType").text() != R"("input_required")")
        return std::nullopt;
    task_questions found;
    const json::value asked = reader.find_member(all, "inputRequests").to_value();
    if (const json::object* const requests = asked.if_object())
        for (const json::key_value_pair& one : *requests)
            found.requests.push_back({std::string(one.key()), json::serialize(one.value())});
    found.state = reader.find_member(all, "requestState").text();
    return found;
}

task_answers texts_of(const json::object& answers)
{
    task_answers texts;
    for (const json::key_value_pair& one : answers)
        texts.emplace(one.key(), json::serialize(one.value()));
    return texts;
}

// The server's tasks go right now.
[[noreturn]] void throw_no_more_tasks()
{
    throw rpc_error(partyline::error_codes::server_busy, "Server busy", json::object{{"reason", "no more tasks"}});
}

// Leaves room for what tasks/get has around a result: it can be fetched, or is none.
void lower_for_get(limits& bounds)
{
    constexpr std::size_t members = std::size_t(4) << 10;
    bounds.message_bytes -= std::min(bounds.message_bytes, members);
    if (bounds.depth > 1)
        --bounds.depth;
}

// Whether the client may ask for the outcome of a task: else it has not been told of the extension.
bool may_poll(const request_context& rpc)
{
    const std::shared_ptr<const access_view> access = rpc.access();
    if (!access)
        return true;
    const access_answer said = access->judge("tasks/get", {}).is;
    return said == access_answer::allowed || said == access_answer::needs_proof;
}

bool brings_answers(json_view params)
{
    message_reader reader{limits()};
    const json_view found = reader.find_member(params, "inputResponses");
    return !found.empty() && found.text() != "null";
}

} // namespace

tasks_core::tasks_core(std::weak_ptr<const served_methods> methods, server_tasks_options options)
    : methods_(std::move(methods)), options_(checked_task_options(std::move(options))),
      store_({options_.ttl, options_.max_tasks, options_.max_tasks_of_principal, options_.max_bytes,
              options_.max_bytes_of_principal})
{
}

bool tasks_core::takes(const request_context& rpc, json_view params, task_start start, bool is_required) const
{
    if (rpc.method() != "tools/call" || is_of_task(rpc) || methods_.expired())
        return false;
    const requester client(rpc);
    const bool has_tasks = client.era() == era::modern && client.extension(tasks_extension) && may_poll(rpc);
    if (!has_tasks && is_required)
        throw missing_capability({{"extensions", json::object{{tasks_extension, json::object()}}}});
    return has_tasks && (start == task_start::at_once || brings_answers(params));
}

json::object tasks_core::start(request_context& rpc, json_view params)
{
    std::string id = make_task_id();
    std::string text(params.text());
    json::object answer;
    try {
        {
            const std::lock_guard lock(mutex_);
            if (is_closed_)
                throw_no_more_tasks();
            answer = store_.add(id, owner_of(rpc), text, task_time::now()).describe(options_.poll_interval);
        }
        answer["resultType"] = "task";
        run(rpc, {id, 1}, std::move(text));
    } catch (...) {
        const std::lock_guard lock(mutex_);
        store_.drop(id);
        throw;
    }
    return answer;
}

session_options tasks_core::options_for(request_context& rpc, std::size_t params) const
{
    constexpr std::size_t more = std::size_t(64) << 10; // what the call has besides
    session_options made;
    if (options_.configure_session)
        options_.configure_session(rpc, made);
    lower_for_get(made.bounds);
    made.bounds.message_bytes = std::max(made.bounds.message_bytes, params + more);
    made.peer = std::make_shared<const peer_identity>(rpc.peer());
    made.access = std::make_shared<const task_access>(rpc.access());
    return made;
}

void tasks_core::run(request_context& rpc, task_run::identity of, std::string params)
{
    const std::shared_ptr<const served_methods> methods = methods_.lock();
    if (!methods)
        throw_no_more_tasks();
    const auto made = std::make_shared<task_run>(shared_from_this(), of, rpc.get_executor(), *methods,
                                                 options_for(rpc, params.size()));
    made->start(std::move(params));
    bool is_wanted = false;
    {
        const std::lock_guard lock(mutex_);
        if (task_record* const one = store_.find_working(of.id, of.round)) {
            one->run = made;
            is_wanted = true;
        }
    }
    if (!is_wanted) // cancelled meanwhile
        made->cancel();
}

json_text tasks_core::get(const request_context& rpc, const std::string& id)
{
    const task_owner by = owner_of(rpc);
    const std::lock_guard lock(mutex_);
    const task_record* const one = store_.find(id, by, task_time::now());
    if (!one)
        throw_unknown_task(id);
    return json_text(one->detail(options_.poll_interval));
}

void tasks_core::update(request_context& rpc, const std::string& id, const json::object& brought)
{
    const task_owner by = owner_of(rpc);
    task_answers answers = texts_of(brought);
    task_run::identity next{id, 0};
    std::string params;
    {
        const std::lock_guard lock(mutex_);
        task_record* const one = store_.find(id, by, task_time::now());
        if (!one)
            throw_unknown_task(id);
        if (!store_.answer(*one, answers, task_time::now()))
            return;
        next.round = one->round();
        try {
            params = one->round_params();
        } catch (...) {
            store_.lose(*one, task_time::now());
            throw;
        }
    }
    try {
        run(rpc, next, std::move(params));
    } catch (...) {
        on_lost(id, next.round);
        throw;
    }
}

void tasks_core::cancel(const request_context& rpc, const std::string& id)
{
    const task_owner by = owner_of(rpc);
    std::shared_ptr<running_task> run;
    {
        const std::lock_guard lock(mutex_);
        task_record* const one = store_.find(id, by, task_time::now());
        if (!one)
            throw_unknown_task(id);
        run = one->run.lock();
        store_.cancel(*one, task_time::now());
    }
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
        if (task_record* const one = store_.find_working(id, round))
            one->on_message(message, task_time::now());
    } catch (...) { // no memory: the next one may come through
    }
}

void tasks_core::on_outcome(const std::string& id, unsigned round, response outcome) noexcept
{
    try {
        take(id, round, std::move(outcome));
    } catch (...) {
        on_lost(id, round);
    }
}

void tasks_core::take(const std::string& id, unsigned round, response outcome)
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

void tasks_core::on_lost(const std::string& id, unsigned round) noexcept
{
    const std::lock_guard lock(mutex_);
    if (task_record* const one = store_.find_working(id, round))
        store_.lose(*one, task_time::now());
}

} // namespace partyline::mcp
