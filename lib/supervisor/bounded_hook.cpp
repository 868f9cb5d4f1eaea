#include "supervisor/bounded_hook.hpp"

#include "session/current_exception.hpp"
#include "session/persistent_post.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/session/log.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/system/system_error.hpp>

#include <new>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline {
namespace {

// Without memory for words the code is what is told.
template <class Words>
bounded_hook::outcome told_as(const error_code& failed, Words words) noexcept
{
    bounded_hook::outcome how{failed, {}};
    try {
        how.details = words();
    } catch (const std::bad_alloc&) {
    }
    return how;
}

} // namespace

bounded_hook::outcome bounded_hook::outcome_of(const std::exception_ptr& thrown) noexcept
{
    if (!thrown)
        return {};
    try {
        std::rethrow_exception(thrown);
    } catch (const boost::system::system_error& failed) {
        return told_as(failed.code() ? failed.code() : error_code(errc::start_failed),
                       [&] { return exception_details(failed); });
    } catch (...) {
        return told_as(errc::start_failed, [] { return current_exception_text(); });
    }
}

/// Goes with the coroutine. Asio destroys it without a word when an operation that it begins throws.
struct bounded_hook::ticket {
    std::shared_ptr<bounded_hook> hook;
    std::shared_ptr<const bounded_hook::hook> what;

    ticket(std::shared_ptr<bounded_hook> h, std::shared_ptr<const bounded_hook::hook> f) noexcept
        : hook(std::move(h)), what(std::move(f))
    {
    }
    ticket(ticket&&) noexcept = default;
    ~ticket()
    {
        if (hook)
            hook->on_lost();
    }

    void operator()(const std::exception_ptr& thrown) { std::exchange(hook, nullptr)->on_return(thrown); }
};

void bounded_hook::start(std::shared_ptr<const hook> what, time_limit limit, std::function<void(outcome)> told)
{
    limit_ = std::move(limit);
    told_ = std::move(told);
    wait(limit_.most == steady_duration::zero() ? steady_duration::max() : limit_.most);
    try {
        asio::awaitable<void> run = (*what)();
        if (!run.valid())
            throw std::logic_error("it returned no coroutine");
        asio::co_spawn(executor_, std::move(run),
                       asio::bind_cancellation_slot(signal_.slot(), ticket(shared_from_this(), what)));
    } catch (...) { // no coroutine, but a function that makes one
        on_return(std::current_exception());
    }
}

// The grace begins first: what the operations that are cancelled do is not in our hands.
void bounded_hook::cancel(error_code why) noexcept
{
    if (!told_ || given_up_)
        return;
    given_up_ = why;
    const auto hold = shared_from_this();
    const bool has_grace = wait_for_grace();
    emit();
    if (!has_grace)
        abandon();
}

bool bounded_hook::wait_for_grace() noexcept
{
    try {
        wait(grace_);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void bounded_hook::emit() noexcept
{
    try {
        signal_.emit(asio::cancellation_type::all);
    } catch (...) {
        log_failed_cancel();
    }
}

void bounded_hook::log_failed_cancel() const noexcept
{
    try {
        write_log(log_, "a hook of a supervisor threw when it was cancelled: " + current_exception_text());
    } catch (const std::bad_alloc&) { // its end goes on
    }
}

void bounded_hook::wait(steady_duration most)
{
    timer_.expires_at(due_time(most));
    timer_.async_wait([late = weak_from_this()](error_code failed) {
        const auto self = late.lock();
        if (!failed && self)
            self->on_time_over();
    });
}

void bounded_hook::on_time_over() noexcept
{
    if (timer_.expiry() > std::chrono::steady_clock::now())
        return; // set anew since this was posted
    if (given_up_)
        return abandon();
    is_over_time_ = true;
    cancel(errc::timeout);
}

void bounded_hook::abandon() noexcept
{
    const char* const more =
        is_over_time_ ? ", nor when it was cancelled then" : "its coroutine did not end when it was cancelled";
    settle(told_as(given_up_, [&] { return reason() + more; }));
}

// Why it was given up, where its code does not say that.
std::string bounded_hook::reason() const
{
    return is_over_time_ ? limit_.hook + " did not end within " + limit_.name : std::string();
}

void bounded_hook::on_return(const std::exception_ptr& thrown) noexcept
{
    end(outcome_of(thrown));
}

void bounded_hook::end(outcome how) noexcept
{
    if (!told_)
        return; // it was abandoned
    timer_.cancel();
    settle(given_up_ ? told_as(given_up_, [this] { return reason(); }) : std::move(how));
}

// Posted, since it is called from wherever the coroutine was; while the io_context is being destroyed it never runs.
void bounded_hook::on_lost() noexcept
{
    try {
        post_persistently(executor_, [self = shared_from_this()] {
            self->end(told_as(errc::start_failed,
                              [] { return std::string("its coroutine was destroyed before it had ended"); }));
        });
    } catch (const std::bad_alloc&) { // its time and who cancels it end it
    }
}

void bounded_hook::settle(outcome how) noexcept
{
    if (const auto told = std::exchange(told_, nullptr))
        told(std::move(how));
}

} // namespace partyline
