#include <partyline/mcp_extensions/client_tasks.hpp>

#include "mcp_extensions/tasks/client_poll_rules.hpp"
#include "mcp_extensions/tasks/client_task_report.hpp"

#include <partyline/mcp/client.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/session/clean_up.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {

/// What the client's function and all copies share.
class client_tasks_core {
public:
    explicit client_tasks_core(client_tasks_options how) : options(std::move(how)) {}

    const client_tasks_options options;
    std::optional<client_extension> extension; // from the constructor of `client_tasks` on
};

namespace {

using tasks_core_ptr = std::shared_ptr<const client_tasks_core>;

/// What the client knows of a task that it follows, and so whether the server is to be asked to cancel that when nobody
/// waits for the result any more.
enum class follow_state : std::uint8_t {
    open,      // the task goes on until the server hears otherwise
    over,      // the server has said that the task has ended
    unknown,   // the server does not know the task (-32602)
    lost,      // a request was lost on its way: the task goes on, and can be resumed
    cancelled, // the server has been asked to cancel the task
};

/// A task whose result somebody waits for.
struct awaited_task {
    awaited_task(std::string name, call_hooks how, std::size_t max_questions)
        : id(std::move(name)), hooks(std::move(how)), time(hooks.timeout), asked(max_questions)
    {
    }

    std::string id;
    call_hooks hooks; // of the call
    call_time time;
    asked_keys asked;
    std::optional<double> interval_ms; // as the server said it last
    std::optional<client_task_status> told;
    follow_state state = follow_state::open;
};

// What the server is told with each request about the task, as with the call.
call_hooks hooks_for(const awaited_task& of)
{
    call_hooks hooks;
    hooks.log_level = of.hooks.log_level;
    hooks.meta = of.hooks.meta;
    return hooks;
}

operation<json_text> request_of_task(const client_tasks_core& by, const awaited_task& of, std::string method,
                                     json::object params)
{
    call_hooks hooks = hooks_for(of);
    hooks.timeout = of.time.left();
    hooks.idle_timeout = of.hooks.idle_timeout;
    return by.extension->request(std::move(method), std::move(params), std::move(hooks));
}

void tell_status(const client_tasks_core& by, awaited_task& of, const task_report& now)
{
    if (!by.options.on_status || (of.told && of.told->state == now.state && of.told->message == now.message))
        return;
    of.told = client_task_status{of.id, now.state, now.message, of.hooks.meta};
    by.options.on_status(*of.told);
}

task<void> pause_for(const awaited_task& of, call_time::clock::duration wait)
{
    const asio::any_io_executor here = co_await asio::this_coro::executor;
    asio::steady_timer timer(here, of.time.end_of(wait));
    co_await timer.async_wait(asio::deferred);
    if (of.time.is_over())
        throw boost::system::system_error(errc::timeout, "the task took too long");
}

task<void> pause_polling(const client_tasks_core& by, const awaited_task& of)
{
    return pause_for(of, poll_interval(by.options, of.interval_ms));
}

// Makes the request until the server takes it or refuses it for good: the task goes on meanwhile.
task<json_text> ask_of_task(const client_tasks_core& by, awaited_task& of, std::string method, json::object params)
{
    for (;;) {
        call_time::clock::duration wait{};
        operation<json_text> asking = request_of_task(by, of, method, params);
        try {
            co_return co_await std::move(asking);
        } catch (const rpc_error& refused) {
            if (!is_refused_for_now(refused.error()))
                throw;
            wait = retry_interval(by.options, of.interval_ms, refused.error());
        } catch (const boost::system::system_error& failed) {
            if (is_lost_on_the_way(failed.code()))
                of.state = follow_state::lost;
            throw;
        }
        task<void> pausing = pause_for(of, wait);
        co_await std::move(pausing);
    }
}

task<task_report> get_task(const client_tasks_core& by, awaited_task& of)
{
    task<json_text> asking = ask_of_task(by, of, "tasks/get", {{"taskId", of.id}});
    try {
        const json_text said = co_await std::move(asking);
        co_return read_task(said, of.id);
    } catch (const rpc_error& refused) {
        if (refused.error().code == partyline::error_codes::invalid_params)
            of.state = follow_state::unknown;
        throw;
    }
}

task<void> answer_new(const client_tasks_core& by, awaited_task& of, json::object shown)
{
    json::object questions = of.asked.take_new(std::move(shown));
    if (questions.empty())
        co_return;
    operation<json::object> answering = by.extension->answer(std::move(questions), of.time.left());
    json::object answers = co_await std::move(answering);
    json::object params;
    params["taskId"] = of.id;
    params["inputResponses"] = std::move(answers);
    task<json_text> telling = ask_of_task(by, of, "tasks/update", std::move(params));
    co_await std::move(telling);
}

// `created`: what the server has answered the call, in which there is no payload yet; empty for a task that is resumed.
task<json_text> wait_for_result(const client_tasks_core& by, awaited_task& of, json_text created)
{
    if (!created.empty()) {
        const task_report first = read_created_task(created);
        of.interval_ms = first.poll_interval_ms;
        tell_status(by, of, first);
        if (first.state == client_task_state::working) {
            task<void> pausing = pause_polling(by, of);
            co_await std::move(pausing);
        }
    }
    for (;;) {
        task<task_report> asking = get_task(by, of);
        task_report now = co_await std::move(asking);
        if (is_over(now.state))
            of.state = follow_state::over;
        of.interval_ms = now.poll_interval_ms;
        tell_status(by, of, now);
        if (is_over(now.state))
            co_return take_result(now);
        task<void> answering = answer_new(by, of, read_questions(now));
        co_await std::move(answering);
        task<void> pausing = pause_polling(by, of);
        co_await std::move(pausing);
    }
}

// Nobody waits for the answer, so that a call completes when its time is over also where the server is silent. Where
// the conversation has ended nothing is sent.
void cancel_if_open(const client_tasks_core& by, awaited_task& of) noexcept
{
    if (of.state != follow_state::open)
        return;
    of.state = follow_state::cancelled;
    try {
        call_hooks hooks = hooks_for(of);
        hooks.timeout = cancel_timeout;
        by.extension->request("tasks/cancel", named("taskId", of.id),
                              std::move(hooks))([](error_code, const call_result<json_text>&) {});
    } catch (const std::exception&) { // memory ran out
    }
}

task<void> clean_up_task(const client_tasks_core& by, awaited_task& of)
{
    cancel_if_open(by, of);
    co_return;
}

task<json_text> follow_task(tasks_core_ptr by, awaited_task of, json_text created)
{
    try {
        task<json_text> waiting = wait_for_result(*by, of, std::move(created));
        task<json_text> all = with_clean_up(std::move(waiting), clean_up_task(*by, of));
        co_return co_await std::move(all);
    } catch (...) { // where memory ran out before the clean-up could begin, too
        cancel_if_open(*by, of);
        throw;
    }
}

task<json_text> complete_call(tasks_core_ptr by, extension_result what)
{
    awaited_task of(read_created_id(what.result), std::move(what.hooks), by->options.max_questions);
    task<json_text> following = follow_task(by, std::move(of), std::move(what.result));
    co_return co_await std::move(following);
}

task<tool_answer> resume_task(tasks_core_ptr by, std::string id, call_hooks hooks)
{
    awaited_task of(std::move(id), std::move(hooks), by->options.max_questions);
    task<json_text> following = follow_task(by, std::move(of), json_text());
    const json_text result = co_await std::move(following);
    co_return make_tool_answer(result);
}

} // namespace

client_tasks::client_tasks(client& of, client_tasks_options options)
{
    check_intervals(options);
    const auto core = std::make_shared<client_tasks_core>(std::move(options));
    client_extension_options how;
    how.since = revision::v2026_07_28;
    how.results[{"tools/call", "task"}] = [core](extension_result what) {
        return complete_call(core, std::move(what));
    };
    core->extension = of.add_extension("io.modelcontextprotocol/tasks", {}, {}, std::move(how));
    core_ = core;
}

task<tool_answer> client_tasks::resume(std::string task_id, call_hooks hooks) const
{
    return resume_task(core_, std::move(task_id), std::move(hooks));
}

} // namespace partyline::mcp
