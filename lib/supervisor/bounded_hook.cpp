#include "supervisor/bounded_hook.hpp"

#include "session/current_exception.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/system/system_error.hpp>

#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline {
namespace {

bounded_hook::outcome outcome_of(const std::exception_ptr& thrown)
{
    if (!thrown)
        return {};
    try {
        std::rethrow_exception(thrown);
    } catch (const boost::system::system_error& failed) {
        return {failed.code() ? failed.code() : error_code(errc::start_failed), failed.what()};
    } catch (...) {
        return {errc::start_failed, current_exception_text()};
    }
}

} // namespace

void bounded_hook::start(std::shared_ptr<const hook> what, std::shared_ptr<caller> whom, steady_duration limit,
                         std::function<void(outcome)> told)
{
    told_ = std::move(told);
    wait(limit == steady_duration::zero() ? steady_duration::max() : limit);
    try {
        asio::awaitable<void> run = (*what)(*whom);
        if (!run.valid())
            throw std::logic_error("it returned no coroutine");
        asio::co_spawn(executor_, std::move(run),
                       asio::bind_cancellation_slot(
                           signal_.slot(), [self = shared_from_this(), what, whom](const std::exception_ptr& thrown) {
                               self->on_return(thrown);
                           }));
    } catch (...) { // no coroutine, but a function that makes one
        on_return(std::current_exception());
    }
}

void bounded_hook::cancel(error_code why)
{
    if (!told_ || given_up_)
        return;
    given_up_ = why;
    const auto hold = shared_from_this();
    signal_.emit(asio::cancellation_type::all);
    if (told_)
        wait(grace_);
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

void bounded_hook::on_time_over()
{
    if (timer_.expiry() > std::chrono::steady_clock::now())
        return; // set anew since this was posted
    if (given_up_)
        return settle({given_up_, "its coroutine did not end when it was cancelled"});
    cancel(errc::timeout);
}

void bounded_hook::on_return(const std::exception_ptr& thrown)
{
    if (!told_)
        return; // it was abandoned
    timer_.cancel();
    settle(given_up_ ? outcome{given_up_, {}} : outcome_of(thrown));
}

void bounded_hook::settle(outcome how)
{
    if (const auto told = std::exchange(told_, nullptr))
        told(std::move(how));
}

} // namespace partyline
