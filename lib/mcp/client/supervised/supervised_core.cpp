#include "mcp/client/supervised/supervised_core.hpp"

#include "mcp/answers/failed_call.hpp"
#include "session/current_exception.hpp"
#include "session/persistent_post.hpp"

#include <partyline/session/detail/serial_executor.hpp>
#include <partyline/session/log.hpp>
#include <partyline/session/on.hpp>
#include <partyline/session/session_options.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>

#include <new>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::mcp {
namespace {

// On the client's executor.
void end_core(client_core& core, bool is_in_order) noexcept
{
    try {
        is_in_order ? core.begin_close() : core.stop();
    } catch (const std::exception& failed) { // no memory: it ends when its server does
        core.log("an MCP client could not be ended", failed.what());
    }
}

} // namespace

supervised_core::supervised_core(asio::any_io_executor executor, std::function<client()> make,
                                 supervised_client_options options)
    : executor_(partyline::detail::serial_executor(std::move(executor), session_options())), make_(std::move(make)),
      options_(std::make_shared<const supervised_client_options>(std::move(options))), rules_(options_->restart),
      again_(executor_), changed_(executor_)
{
    if (!make_)
        throw std::invalid_argument("the function that makes the clients of a supervised client is empty");
}

supervisor_status supervised_core::status() const
{
    const std::lock_guard lock(mutex_);
    return status_;
}

void supervised_core::start(completion<error_code> done)
{
    // Here, and never cleared: a slot belongs to whoever starts the operation, and to that thread.
    done.on_cancel([late = weak_from_this()] {
        if (const auto self = late.lock())
            self->end(ending::at_once);
    });
    asio::dispatch(executor_, [self = shared_from_this(), done = std::move(done)]() mutable {
        self->guarded([&] { self->on_start(std::move(done)); });
    });
}

void supervised_core::end(ending how)
{
    post_persistently(executor_, [self = shared_from_this(), how] { self->guarded([&] { self->on_end(how); }); });
}

void supervised_core::leave()
{
    client_core_ptr now;
    {
        const std::lock_guard lock(mutex_);
        has_left_ = true;
        now = current_;
    }
    if (now)
        now->leave();
    end(ending::at_once);
}

void supervised_core::on_end(ending how)
{
    const bool is_less = ending_ == ending::at_once && how == ending::in_order;
    if (status_.state == supervisor_state::ended || is_less)
        return;
    ending_ = how;
    result_ = how == ending::at_once ? error_code(asio::error::operation_aborted) : error_code();
    changed_.set();
    if (!is_running_)
        return finish(result_);
    again_.cancel();
    if (!current_)
        return;
    if (status_.state != supervisor_state::ending)
        enter(supervisor_state::ending);
    end_client(how);
}

void supervised_core::end_client(ending how)
{
    const bool is_in_order = how == ending::in_order && ready_;
    post_persistently(current_->get_executor(), [core = current_, is_in_order] { end_core(*core, is_in_order); });
}

// Whether a client still takes calls is known on its own executor; who waits for the next one is woken by the change.
task<std::shared_ptr<client>> supervised_core::ready(std::shared_ptr<supervised_core> of)
{
    for (;;) {
        if (const error_code why = of->refusal())
            throw failed_call(why, of->refusal_details());
        const std::shared_ptr<client> now = of->ready_;
        if (now) {
            const client_core_ptr core = of->current_; // of `now`, which its user may have moved from
            auto ask = [core] { return core->takes_calls(); };
            task<bool> asking = on(core->get_executor(), std::move(ask));
            const bool takes_calls = co_await std::move(asking);
            if (takes_calls)
                co_return now;
        }
        if (of->ready_ != now || of->refusal())
            continue; // it has changed meanwhile
        if (of->options_->ready_while_down == while_down::fail)
            throw failed_call(errc::not_running, of->refusal_details());
        of->changed_.reset();
        co_await of->changed_.async_wait(asio::deferred);
    }
}

error_code supervised_core::refusal() const noexcept
{
    if (has_given_up_)
        return errc::gave_up;
    if (result_ == errc::session_failed)
        return errc::session_failed;
    return ending_ ? error_code(errc::session_closed) : error_code();
}

// How the last client ended, for who does not get that code.
std::string supervised_core::refusal_details() const
{
    if (!status_.last_end || ending_)
        return {};
    const std::string code = status_.last_end.message();
    return status_.last_words.empty() ? code : code + "\n" + status_.last_words;
}

// Of a copy: where there is no room for its words nothing is half changed.
void supervised_core::enter(supervisor_state state, steady_duration delay)
{
    supervisor_status now = status_;
    now.state = state;
    now.delay = delay;
    {
        const std::lock_guard lock(mutex_);
        status_.state = state;
        status_.delay = delay;
    }
    tell(now);
}

void supervised_core::tell(const supervisor_status& now) noexcept
{
    if (!options_->on_change || has_left_)
        return;
    try {
        options_->on_change(now);
    } catch (...) {
        write_log(options_->log, "on_change threw");
    }
}

// Also where memory was too short to tell of the change.
void supervised_core::finish(error_code result) noexcept
{
    try {
        enter(supervisor_state::ended);
    } catch (const std::bad_alloc&) {
        const std::lock_guard lock(mutex_);
        status_.state = supervisor_state::ended;
    }
    ready_.reset();
    last_.reset();
    changed_.set();
    if (done_)
        (*done_)(shared_from_this(), result);
}

// Nothing is left but to end.
void supervised_core::on_failure() noexcept
{
    log_failure(std::current_exception());
    if (status_.state == supervisor_state::ended)
        return;
    ending_ = ending::at_once;
    result_ = errc::session_failed;
    changed_.set();
    again_.cancel();
    try {
        if (current_)
            current_->leave();
    } catch (const std::bad_alloc&) { // it ends when its server does, and there is no other one
    }
    if (!is_running_)
        finish(result_);
}

void supervised_core::log_failure(const std::exception_ptr& thrown) const noexcept
{
    try {
        std::rethrow_exception(thrown);
    } catch (...) {
        try {
            write_log(options_->log, "a supervised MCP client can't go on: " + current_exception_text());
        } catch (const std::bad_alloc&) {
        }
    }
}

} // namespace partyline::mcp
