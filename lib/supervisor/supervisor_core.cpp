#include "supervisor/supervisor_core.hpp"

#include "async/back_off.hpp"
#include "session/check_options.hpp"
#include "session/current_exception.hpp"
#include "session/persistent_post.hpp"
#include "transport/child/child_start.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/session/detail/serial_executor.hpp>
#include <partyline/session/log.hpp>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <array>
#include <cerrno>
#include <utility>

namespace asio = boost::asio;

namespace partyline {
namespace {

call_rules rules_of(const session_options& options)
{
    check_options(options);
    return call_rules(options);
}

// Not for want of processes, memory or descriptors, which may be had the next time.
bool is_hopeless(const error_code& why)
{
    const std::array<int, 5> passing{EAGAIN, ENOMEM, EMFILE, ENFILE, ETXTBSY};
    for (const int one : passing) {
        if (why == error_code(one, boost::system::system_category()))
            return false;
    }
    return true;
}

} // namespace

supervisor_core::supervisor_core(asio::any_io_executor executor, std::vector<std::string> command,
                                 const served_methods& methods, supervisor_options options)
    : executor_(detail::serial_executor(std::move(executor), options.session)),
      methods_(methods.for_session(executor_, options.session)), calling_(rules_of(options.session)),
      command_(std::move(command)), options_(std::make_shared<const supervisor_options>(std::move(options))),
      rules_(options_->restart), waiting_(options_->session.bounds), life_(executor_), again_(executor_),
      due_timer_(executor_)
{
    check_child(command_, options_->child);
}

supervisor_status supervisor_core::status() const
{
    const std::lock_guard lock(mutex_);
    return status_;
}

std::shared_ptr<lifecycle> supervisor_core::session_lifecycle() const
{
    const std::lock_guard lock(mutex_);
    return lifecycle_;
}

void supervisor_core::start(completion<error_code> done)
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

void supervisor_core::end(ending how)
{
    post_persistently(executor_, [self = shared_from_this(), how] { self->guarded([&] { self->on_end(how); }); });
}

void supervisor_core::on_start(completion<error_code> done)
{
    if (std::exchange(has_started_, true)) {
        const auto told = std::make_shared<completion<error_code>>(std::move(done));
        return (*told)(told, errc::already_started);
    }
    done_.emplace(std::move(done));
    if (status_.state == supervisor_state::ended)
        return (*done_)(shared_from_this(), result_);
    life_.start(shared_from_this());
    start_child();
}

void supervisor_core::on_end(ending how)
{
    const bool is_less = ending_ == ending::at_once && how == ending::in_order;
    if (status_.state == supervisor_state::ended || is_less)
        return;
    ending_ = how;
    result_ = how == ending::at_once ? error_code(asio::error::operation_aborted) : error_code();
    waiting_.refuse_all(errc::session_closed, {});
    if (!child_) {
        again_.cancel();
        return complete(result_);
    }
    if (status_.state != supervisor_state::ending)
        change([](supervisor_status& now) { now.state = supervisor_state::ending; });
    how == ending::at_once ? child_->stop() : child_->close();
}

void supervisor_core::start_child()
{
    rules_.on_start(std::chrono::steady_clock::now());
    {
        const std::lock_guard lock(mutex_);
        ++status_.starts;
    }
    supervised_child::user& told = *this;
    try {
        child_ = std::make_shared<supervised_child>(told, executor_, command_, methods_, options_);
    } catch (const boost::system::system_error& failed) {
        return on_not_started(failed.code(), exception_details(failed));
    }
    {
        const std::lock_guard lock(mutex_);
        lifecycle_ = child_->session_lifecycle();
    }
    change([this](supervisor_status& now) {
        now.state = supervisor_state::starting;
        now.pid = child_->pid();
    });
    child_->start();
}

void supervisor_core::on_not_started(const error_code& why, const std::string& words)
{
    {
        const std::lock_guard lock(mutex_);
        status_.last_end = why;
        status_.last_words = words;
    }
    decide(is_hopeless(why) ? child_outcome::not_started : child_outcome::failure);
}

void supervisor_core::on_ready() noexcept
{
    guarded([this] {
        rules_.on_ready(std::chrono::steady_clock::now());
        change([](supervisor_status& now) { now.state = supervisor_state::running; });
        send_waiting();
    });
}

void supervisor_core::on_start_failed() noexcept
{
    guarded([this] { change([](supervisor_status& now) { now.state = supervisor_state::ending; }); });
}

void supervisor_core::on_ended(const supervised_child::ending& how) noexcept
{
    child_.reset();
    guarded([&] {
        {
            const std::lock_guard lock(mutex_);
            status_.last_end = how.why;
            status_.last_words = how.last_words;
            status_.pid = 0;
            lifecycle_.reset();
        }
        if (!ending_)
            return decide(how.how);
        // Where `on_start` had failed, it was stopped, and nobody had asked for that.
        if (ending_ == ending::in_order && how.session_result != asio::error::operation_aborted)
            result_ = how.session_result;
        complete(result_);
    });
}

// What comes after an end.
void supervisor_core::decide(child_outcome how)
{
    using next_step = restart_rules::next_step;
    const restart_rules::decision next = rules_.on_end(std::chrono::steady_clock::now(), how, random_part());
    if (!options_->on_change) // then nobody else would hear of it
        write_log(options_->session.log,
                  status_.last_end.message() +
                      (next.what == next_step::again ? "; it is started again" : "; it is not started again"));
    if (next.what == next_step::again)
        return start_later(next.delay);
    has_given_up_ = true;
    const bool is_well = next.what == next_step::over && how == child_outcome::success &&
                         options_->restart.after == restart_after::failure;
    complete(is_well ? error_code() : status_.last_end);
}

void supervisor_core::start_later(steady_duration delay)
{
    change([delay](supervisor_status& now) {
        now.state = supervisor_state::waiting;
        now.delay = delay;
    });
    again_.expires_at(due_time(delay));
    again_.async_wait([late = weak_from_this()](error_code failed) {
        const auto self = late.lock();
        if (!failed && self && !self->ending_)
            self->guarded([&] { self->start_child(); });
    });
}

void supervisor_core::complete(error_code result)
{
    waiting_.refuse_all(refusal(), refusal_details());
    due_timer_.cancel();
    change([](supervisor_status& now) { now.state = supervisor_state::ended; });
    finish(result);
}

// Also where memory was too short to tell of the change.
void supervisor_core::finish(error_code result) noexcept
{
    {
        const std::lock_guard lock(mutex_);
        status_.state = supervisor_state::ended;
    }
    life_.stop();
    if (done_)
        (*done_)(shared_from_this(), result);
}

// Nothing is left but to end.
void supervisor_core::on_failure() noexcept
{
    try {
        write_log(options_->session.log, "a supervisor can't go on: " + current_exception_text());
    } catch (const std::bad_alloc&) {
    }
    try {
        if (status_.state == supervisor_state::ended)
            return;
        ending_ = ending::at_once;
        result_ = errc::session_failed;
        again_.cancel();
        waiting_.refuse_all(errc::session_failed, {});
        if (child_)
            return child_->stop();
        complete(result_);
    } catch (...) {
        finish(errc::session_failed);
    }
}

// Of a copy: where there is no room for its words nothing is half changed.
template <class Change>
void supervisor_core::change(Change make)
{
    supervisor_status now = status_;
    make(now);
    supervisor_status kept = now;
    {
        const std::lock_guard lock(mutex_);
        std::swap(status_, kept);
    }
    tell(now);
}

void supervisor_core::tell(const supervisor_status& now) noexcept
{
    if (!options_->on_change)
        return;
    try {
        options_->on_change(now);
    } catch (...) {
        write_log(options_->session.log, "on_change threw");
    }
}

} // namespace partyline
