#include <partyline/mcp_extensions/client_tasks.hpp>

#include "mcp_extensions/tasks/client_poll_rules.hpp"
#include "mcp_extensions/tasks/client_task_report.hpp"

#include <partyline/mcp/client.hpp>
#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/session/clean_up.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

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

constexpr auto cancel_timeout = std::chrono::seconds(10);

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
    bool needs_no_cancel = false; // it has ended, is not known, or is cancelled already
};

operation<json_text> request_of_task(const client_tasks_core& by, const awaited_task& of, std::string method,
                                     json::object params)
{
    call_hooks hooks;
    hooks.timeout = of.time.left();
    hooks.idle_timeout = of.hooks.idle_timeout;
    hooks.meta = of.hooks.meta;
    return by.extension->request(std::move(method), std::move(params), std::move(hooks));
}

void tell_status(const client_tasks_core& by, awaited_task& of, const task_report& now)
{
    if (!by.options.on_status || (of.told && of.told->state == now.state && of.told->message == now.message))
        return;
    of.told = client_task_status{of.id, now.state, now.message, of.hooks.meta};
    by.options.on_status(*of.told);
}

task<void> pause_polling(const client_tasks_core& by, const awaited_task& of)
{
    const asio::any_io_executor here = co_await asio::this_coro::executor;
    asio::steady_timer timer(here, of.time.end_of(poll_interval(by.options, of.interval_ms)));
    co_await timer.async_wait(asio::deferred);
    if (of.time.is_over())
        throw boost::system::system_error(errc::timeout, "the task took too long");
}

// Whether a request has failed on the way to the server or back, so that nobody has given up the task.
bool is_lost_on_the_way(error_code why)
{
    return why != asio::error::operation_aborted && why != errc::timeout && why.category() != client_category();
}

// Makes the request until the server takes it or refuses it for good: the task goes on meanwhile.
task<json_text> ask_of_task(const client_tasks_core& by, awaited_task& of, std::string method, json::object params)
{
    for (;;) {
        operation<json_text> asking = request_of_task(by, of, method, params);
        try {
            co_return co_await std::move(asking);
        } catch (const rpc_error& refused) {
            if (!is_refused_for_now(refused.error()))
                throw;
        } catch (const boost::system::system_error& failed) {
            of.needs_no_cancel = is_lost_on_the_way(failed.code());
            throw;
        }
        task<void> pausing = pause_polling(by, of);
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
            of.needs_no_cancel = true; // the server does not know it
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

// `created`: what the server has answered the call, in which there is no payload yet.
task<json_text> wait_for_result(const client_tasks_core& by, awaited_task& of, std::optional<task_report> created)
{
    if (created) {
        of.interval_ms = created->poll_interval_ms;
        tell_status(by, of, *created);
        if (created->state == client_task_state::working) {
            task<void> pausing = pause_polling(by, of);
            co_await std::move(pausing);
        }
    }
    for (;;) {
        task<task_report> asking = get_task(by, of);
        task_report now = co_await std::move(asking);
        of.needs_no_cancel = is_over(now.state);
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
void cancel_unless_over(const client_tasks_core& by, awaited_task& of) noexcept
{
    if (std::exchange(of.needs_no_cancel, true))
        return;
    try {
        call_hooks hooks;
        hooks.timeout = cancel_timeout;
        by.extension->request("tasks/cancel", named("taskId", of.id),
                              std::move(hooks))([](error_code, const call_result<json_text>&) {});
    } catch (const std::exception&) { // memory ran out
    }
}

task<void> clean_up_task(const client_tasks_core& by, awaited_task& of)
{
    cancel_unless_over(by, of);
    co_return;
}

task<json_text> follow_task(tasks_core_ptr by, awaited_task of, std::optional<task_report> created)
{
    try {
        task<json_text> waiting = wait_for_result(*by, of, std::move(created));
        task<json_text> all = with_clean_up(std::move(waiting), clean_up_task(*by, of));
        co_return co_await std::move(all);
    } catch (...) { // also where this was cancelled before, so that nothing of it has begun
        cancel_unless_over(*by, of);
        throw;
    }
}

task<json_text> complete_call(tasks_core_ptr by, extension_result what)
{
    task_report created = read_created_task(what.result);
    awaited_task of(created.id, std::move(what.hooks), by->options.max_questions);
    task<json_text> following = follow_task(by, std::move(of), std::move(created));
    co_return co_await std::move(following);
}

task<tool_answer> resume_task(tasks_core_ptr by, std::string id, call_hooks hooks)
{
    awaited_task of(std::move(id), std::move(hooks), by->options.max_questions);
    task<json_text> following = follow_task(by, std::move(of), std::nullopt);
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
