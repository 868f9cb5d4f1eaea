#include "mcp_extensions/tasks/task_run.hpp"

#include "mcp_extensions/tasks/task_texts.hpp"

#include <partyline/mcp/profile.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/system/system_error.hpp>

#include <new>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {
namespace {

class calling_profile final : public base_protocol {};
constexpr calling_profile calls_only;

} // namespace

/// Is told the outcome of the call; destroyed before that, for want of memory or with what the call ran on, it tells
/// that there will be none.
class task_run::outcome_handler {
public:
    explicit outcome_handler(std::weak_ptr<task_run> of) noexcept : of_(std::move(of)) {}
    outcome_handler(outcome_handler&&) noexcept = default;
    ~outcome_handler()
    {
        if (const std::shared_ptr<task_run> run = of_.lock())
            run->on_no_reply();
    }

    void operator()(error_code failed, response outcome)
    {
        if (const std::shared_ptr<task_run> run = std::exchange(of_, {}).lock())
            run->on_reply(failed, std::move(outcome));
    }

private:
    std::weak_ptr<task_run> of_; // the sessions are the run's, and what they call is theirs
};

/// The end of one of the sessions: it has come also where it is never told.
class task_run::session_end {
public:
    session_end(const std::shared_ptr<task_run>& of, bool is_serving) noexcept : of_(of), is_serving_(is_serving)
    {
        ++of->running_sessions_;
    }
    session_end(session_end&&) noexcept = default;
    ~session_end()
    {
        if (const std::shared_ptr<task_run> run = of_.lock())
            run->on_session_end(is_serving_, why_);
    }

    void operator()(error_code why) noexcept { why_ = why; }

private:
    std::weak_ptr<task_run> of_;
    bool is_serving_;
    error_code why_;
};

task_run::task_run(std::shared_ptr<task_listener> told, identity of, const asio::any_io_executor& executor,
                   const served_methods& methods, session_options serving)
    : told_(std::move(told)), of_(std::move(of)), log_(serving.log), has_ended_(executor)
{
    auto [here, there] = memory_stream::make_pair(executor);
    session_options calling;
    calling.profile = &calls_only;
    calling.bounds = serving.bounds;
    calling.log = serving.log;
    calling.executor_is_serial = true;
    serving.executor_is_serial = true;
    serving_.emplace(std::move(there), methods, std::move(serving));
    calling_.emplace(std::move(here), std::move(calling));
}

task_run::~task_run()
{
    if (!has_outcome_)
        told_->on_lost(of_.id, of_.round, task_loss::abandoned);
}

void task_run::start(std::string params)
{
    const std::shared_ptr<task_run> kept = shared_from_this();
    call_options how;
    how.on_progress([self = weak_from_this()](const json::value& value) {
        if (const std::shared_ptr<task_run> run = self.lock())
            run->on_progress(value);
    });
    auto call = calling_->call("tools/call", json_text(std::move(params)), std::move(how));
    has_ended_.async_wait([kept](error_code) {});
    has_outcome_ = false;
    try {
        serving_->async_run(session_end(kept, true));
        calling_->async_run(session_end(kept, false));
        std::move(call)(outcome_handler(kept));
    } catch (...) {
        has_outcome_ = true; // whoever starts it knows
        has_ended_.set();
        throw;
    }
}

// The tool's call is cancelled, and what it is answered with comes too late.
void task_run::cancel() noexcept
{
    try {
        serving_->stop();
    } catch (...) { // no memory: it runs to its end
    }
}

void task_run::on_progress(const json::value& value) noexcept
{
    const json::object* const told = value.if_object();
    const json::value* const message = told ? told->if_contains("message") : nullptr;
    if (message && message->is_string())
        told_->on_message(of_.id, of_.round, message->get_string());
}

void task_run::on_reply(error_code failed, response outcome) noexcept
{
    has_outcome_ = true;
    take(failed, std::move(outcome));
    try {
        calling_->close(); // and then the other one has nothing more to do
    } catch (...) {
        has_ended_.set(); // no memory for an end in order
    }
}

void task_run::take(error_code failed, response outcome) noexcept
{
    try {
        if (failed)
            return lose(task_loss::no_reply, boost::system::system_error(serving_end_ ? serving_end_ : failed));
        told_->on_outcome(of_.id, of_.round, std::move(outcome));
    } catch (const std::bad_alloc& none) {
        lose(task_loss::no_memory, none);
    } catch (const std::exception& cause) {
        lose(task_loss::internal_error, cause);
    }
}

// The server's own faults are logged: the client is told no more than the kind of it.
void task_run::lose(task_loss why, const std::exception& cause) noexcept
{
    if (told_->on_lost(of_.id, of_.round, why))
        log_lost_task(log_, of_.tool, to_message(why), cause.what());
}

void task_run::on_no_reply() noexcept
{
    if (has_outcome_)
        return;
    has_outcome_ = true;
    told_->on_lost(of_.id, of_.round, task_loss::abandoned);
    stop_calling();
}

// A session that served and has no outcome brings none any more.
void task_run::on_session_end(bool is_serving, error_code why) noexcept
{
    if (is_serving)
        serving_end_ = why;
    if (--running_sessions_ == 0)
        has_ended_.set();
    else if (is_serving && !has_outcome_)
        stop_calling();
}

void task_run::stop_calling() noexcept
{
    try {
        calling_->stop(); // its call has failed then
    } catch (...) {
        has_ended_.set(); // no memory for an end in order
    }
}

} // namespace partyline::mcp
