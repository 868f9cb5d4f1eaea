#include "supervisor/supervised_child.hpp"

#include "supervisor/child_caller.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/session/log.hpp>
#include <partyline/transport/child_process.hpp>
#include <partyline/transport/detail/stream_adapter.hpp>

#include <boost/asio/error.hpp>

#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline {
namespace {

std::string joined(const std::string& first, const std::string& second)
{
    return first.empty() || second.empty() ? first + second : first + "\n" + second;
}

} // namespace

supervised_child::supervised_child(user& told, asio::any_io_executor executor, std::vector<std::string> command,
                                   std::shared_ptr<const dispatcher> methods,
                                   std::shared_ptr<const supervisor_options> options)
    : user_(told), executor_(std::move(executor)), options_(std::move(options))
{
    child_process process(executor_, std::move(command), options_->child);
    report_ = process.report();
    driver_ = std::make_shared<stream_driver>(
        executor_, std::make_unique<detail::stream_adapter<child_process>>(std::move(process), executor_),
        std::move(methods), options_->session);
}

supervised_child::~supervised_child() = default;

std::shared_ptr<lifecycle> supervised_child::session_lifecycle() const
{
    return driver_->lifecycle();
}

// The session does not keep this: it would never go, were the executor to go first.
void supervised_child::start()
{
    completion<error_code> told(
        [late = weak_from_this()](error_code result) {
            if (const auto self = late.lock())
                self->guarded([&] { self->on_session_end(result); });
        },
        executor_);
    has_session_ = true;
    driver_->start(std::move(told));
    if (options_->on_start)
        run(options_->on_start, {"on_start", "start_timeout", options_->start_timeout});
    else
        become_ready();
}

// `what` is one of the options'.
void supervised_child::run(const std::function<asio::awaitable<void>(caller&)>& what, bounded_hook::time_limit limit)
{
    auto called = [options = options_, &what, whom = std::make_shared<child_caller>(driver_)] { return what(*whom); };
    const auto hook = std::make_shared<const bounded_hook::hook>(std::move(called));
    const auto made = std::make_shared<bounded_hook>(executor_, options_->session.cancel_grace, options_->session.log);
    hook_ = made; // may end before it has started
    made->start(hook, std::move(limit), [late = weak_from_this()](bounded_hook::outcome how) {
        if (const auto self = late.lock())
            self->guarded([&] { self->on_hook_end(std::move(how)); });
    });
}

void supervised_child::on_hook_end(bounded_hook::outcome how)
{
    hook_.reset();
    if (at_ == phase::starting && how.failed)
        fail_start(std::move(how));
    else if (at_ == phase::starting && !session_result_)
        become_ready();
    else if (at_ == phase::parting)
        part(how);
    complete();
}

void supervised_child::become_ready() noexcept
{
    at_ = phase::ready;
    user_.on_ready();
}

// A child that is on its way out anyhow is not to be hurried.
void supervised_child::fail_start(bounded_hook::outcome how)
{
    at_ = phase::ending;
    start_failure_ = std::move(how);
    if (session_result_)
        return;
    if (driver_->takes_calls())
        driver_->stop(asio::error::operation_aborted);
    user_.on_start_failed();
}

void supervised_child::part(const bounded_hook::outcome& how)
{
    at_ = phase::ending;
    driver_->close();
    if (!how.failed)
        return;
    try {
        const std::string code = how.failed == errc::start_failed ? std::string() : how.failed.message();
        write_log(options_->session.log, "on_close failed: " + joined(code, how.details));
    } catch (const std::bad_alloc&) { // the end goes on
    }
}

bool supervised_child::takes_calls() const noexcept
{
    return at_ == phase::ready && driver_->takes_calls();
}

void supervised_child::adopt(const std::shared_ptr<outgoing_message>& message) noexcept
{
    driver_->adopt(message);
}

void supervised_child::cancel(outgoing_message& message) noexcept
{
    driver_->cancel(message);
}

void supervised_child::close()
{
    if (at_ == phase::parting || at_ == phase::ending)
        return;
    if (takes_calls() && options_->on_close) {
        at_ = phase::parting;
        return run(options_->on_close, {"on_close", "goodbye_timeout", options_->goodbye_timeout});
    }
    at_ = phase::ending;
    if (hook_)
        hook_->cancel(errc::session_closed);
    driver_->close();
}

void supervised_child::stop()
{
    at_ = phase::ending;
    if (hook_)
        hook_->cancel(errc::session_closed);
    if (has_session_)
        driver_->stop(asio::error::operation_aborted);
    else
        on_session_end(asio::error::operation_aborted);
}

void supervised_child::on_session_end(error_code result)
{
    session_result_ = result;
    const auto running = hook_; // may end within this
    if (running)
        running->cancel(how_it_ended().why);
    else
        complete();
}

void supervised_child::complete() noexcept
{
    if (!session_result_ || hook_)
        return;
    const auto hold = shared_from_this();
    user_.on_ended(how_it_ended());
}

supervised_child::ending supervised_child::how_it_ended() const noexcept
{
    ending all;
    all.session_result = *session_result_;
    const auto exit = report_->exit();
    const bool has_failed = all.session_result && all.session_result.category() != child_exit_category();
    if (start_failure_)
        all.why = start_failure_->failed;
    else if (has_failed || !exit)
        all.why = has_failed ? all.session_result : error_code(errc::peer_closed);
    else
        all.why = exit->code();
    if (!start_failure_ && !has_failed && exit && exit->is_success())
        all.how = child_outcome::success;
    try {
        all.last_words = last_words();
    } catch (const std::bad_alloc&) { // the codes tell most of it
    }
    return all;
}

// That a call of `on_start` failed since the child ended is told by the code.
std::string supervised_child::last_words() const
{
    std::string words = report_->last_stderr_lines();
    if (!start_failure_ || start_failure_->failed.category() == child_exit_category())
        return words;
    return joined(start_failure_->details, words);
}

} // namespace partyline
