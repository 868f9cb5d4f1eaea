// The clients of a supervised client, one after the other.

#include "async/back_off.hpp"
#include "mcp/client/client_access.hpp"
#include "mcp/client/supervised/supervised_core.hpp"
#include "session/persistent_post.hpp"

#include <partyline/protocol/printable.hpp>
#include <partyline/session/log.hpp>
#include <partyline/transport/child_exit.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline::mcp {
namespace {

// There is no such program, or it can't be run.
bool is_no_program(const error_code& why) noexcept
{
    const std::array<int, 4> hopeless{ENOENT, ENOTDIR, EACCES, ENOEXEC};
    for (const int one : hopeless) {
        if (why == error_code(one, boost::system::system_category()))
            return true;
    }
    return false;
}

// What the session ends with where its server has ended, and has left nothing unanswered but what it was asked last.
bool is_in_order(const error_code& result) noexcept
{
    return !result || result == child_exit::with_status(0).code();
}

bool is_same(const std::vector<root>& one, const std::vector<root>& other)
{
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const root& a, const root& b) { return a.uri == b.uri && a.name == b.name; });
}

task<error_code> end_of(client_core_ptr core)
{
    co_return co_await core->end();
}

} // namespace

/// Told how `run()` has ended; also where that never comes to its end, since what it awaits is lost for want of memory.
class supervised_core::run_end {
public:
    explicit run_end(std::shared_ptr<supervised_core> of) noexcept : of_(std::move(of)) {}
    run_end(run_end&&) noexcept = default;
    ~run_end()
    {
        if (!of_)
            return;
        try { // while the io_context is being destroyed it never runs
            post_persistently(of_->executor_,
                              [self = of_] { self->on_run_end(std::make_exception_ptr(std::bad_alloc()), {}); });
        } catch (const std::bad_alloc&) { // nobody can be told
        }
    }

    void operator()(const std::exception_ptr& thrown, error_code result)
    {
        std::exchange(of_, nullptr)->on_run_end(thrown, result);
    }

private:
    std::shared_ptr<supervised_core> of_;
};

void supervised_core::on_start(completion<error_code> done)
{
    if (std::exchange(has_started_, true)) {
        const auto told = std::make_shared<completion<error_code>>(std::move(done));
        return (*told)(told, errc::already_started);
    }
    done_.emplace(std::move(done));
    if (status_.state == supervisor_state::ended)
        return (*done_)(shared_from_this(), result_);
    co_spawn(executor_, run(shared_from_this()), run_end(shared_from_this()));
    is_running_ = true;
}

task<error_code> supervised_core::run(std::shared_ptr<supervised_core> self)
{
    for (;;) {
        task<client_end> one = self->run_one();
        const client_end how = co_await std::move(one);
        self->note_end(how);
        if (self->must_end())
            co_return self->result_after(how);
        const std::optional<steady_duration> delay = self->decide(how);
        if (!delay)
            co_return self->result_after(how);
        self->enter(supervisor_state::waiting, *delay);
        self->again_.expires_at(due_time(*delay));
        co_await self->again_.async_wait(asio::as_tuple(asio::deferred));
        if (self->must_end())
            co_return self->result_after({});
    }
}

void supervised_core::on_run_end(const std::exception_ptr& thrown, error_code result) noexcept
{
    if (status_.state == supervisor_state::ended)
        return;
    is_running_ = false;
    if (!thrown)
        return finish(result);
    try {
        std::rethrow_exception(thrown);
    } catch (...) {
        on_failure();
    }
}

task<supervised_core::client_end> supervised_core::run_one()
{
    client_end how;
    rules_.on_start(std::chrono::steady_clock::now());
    const std::shared_ptr<client> made = make(how);
    if (!made)
        co_return how;
    const client_core_ptr core = current_;
    std::optional<lasting_settings::values> former;
    if (last_)
        former = last_->lasting().get();
    const roots_told known = former ? former->roots : std::nullopt;
    auto start = co_spawn(core->get_executor(), start_client(made, options_, std::move(former)), asio::deferred);
    start_outcome started = co_await std::move(start);
    if (started.failed)
        give_up_start();
    else if (!must_end())
        become_ready(made, known);
    auto end = co_spawn(core->get_executor(), end_of(core), asio::deferred);
    how.session_result = co_await std::move(end);
    how.how = started.failed || !is_in_order(how.session_result) ? child_outcome::failure : child_outcome::success;
    how.why = how.session_result ? how.session_result : error_code(errc::peer_closed);
    if (started.failed) {
        how.why = started.failed;
        how.words = std::move(started.details);
    }
    co_return how;
}

// Null: it is not there, `how` says why.
std::shared_ptr<client> supervised_core::make(client_end& how)
{
    how.why = errc::session_closed; // where it is not to be made any more
    if (must_end())
        return nullptr;
    {
        const std::lock_guard lock(mutex_);
        ++status_.starts;
    }
    try {
        auto made = std::make_shared<client>(make_());
        const client_core_ptr& core = detail::client_access::core(*made);
        enter(supervisor_state::starting);
        const std::lock_guard lock(mutex_);
        if (has_left_)
            return nullptr;
        current_ = core;
        return made;
    } catch (...) {
        start_outcome failed = bounded_hook::outcome_of(std::current_exception());
        how.why = failed.failed;
        how.words = std::move(failed.details);
        how.how = is_no_program(how.why) ? child_outcome::not_started : child_outcome::failure;
        return nullptr;
    }
}

// What the last client was told while this one was started.
void supervised_core::pass_roots_on(const roots_told& known)
{
    if (!last_ || !current_->handlers().has_roots)
        return;
    roots_told told = last_->lasting().get().roots;
    if (told && !(known && is_same(*told, *known)))
        current_->set_roots(std::move(*told));
}

void supervised_core::become_ready(const std::shared_ptr<client>& made, const roots_told& known)
{
    pass_roots_on(known);
    rules_.on_ready(std::chrono::steady_clock::now());
    ready_ = made;
    last_ = current_;
    changed_.set();
    enter(supervisor_state::running);
}

void supervised_core::give_up_start()
{
    if (must_end())
        return;
    enter(supervisor_state::ending);
    end_client(ending::at_once);
}

void supervised_core::note_end(const client_end& how)
{
    ready_.reset();
    supervisor_status now = status_;
    now.last_end = how.why;
    constexpr std::size_t longest_words = 1000; // a server's own may be megabytes
    now.last_words = printable(how.words, longest_words);
    client_core_ptr former;
    const std::lock_guard lock(mutex_);
    std::swap(status_, now);
    former.swap(current_);
}

// After which delay another client is started; none: no other one is.
std::optional<steady_duration> supervised_core::decide(const client_end& how)
{
    using next_step = restart_rules::next_step;
    const restart_rules::decision next = rules_.on_end(std::chrono::steady_clock::now(), how.how, random_part());
    const bool goes_on = next.what == next_step::again;
    if (!options_->on_change) // then nobody else would hear of it
        write_log(options_->log, how.why.message() + (goes_on ? "; it is started again" : "; it is not started again"));
    has_given_up_ = !goes_on;
    return goes_on ? std::optional(next.delay) : std::nullopt;
}

error_code supervised_core::result_after(const client_end& how) const noexcept
{
    if (has_given_up_) {
        const bool is_well = how.how == child_outcome::success && options_->restart.after == restart_after::failure;
        return is_well ? error_code() : how.why;
    }
    if (!ending_) // it was left a moment ago
        return asio::error::operation_aborted;
    const bool has_own = how.session_result && how.session_result != asio::error::operation_aborted;
    return ending_ == ending::in_order && has_own ? how.session_result : result_;
}

} // namespace partyline::mcp
