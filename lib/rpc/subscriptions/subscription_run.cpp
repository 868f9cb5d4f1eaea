#include "rpc/subscriptions/subscription_run.hpp"

#include "rpc/subscriptions/subscription_state.hpp"
#include "session/persistent_post.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/strand.hpp>

#include <exception>
#include <utility>

namespace asio = boost::asio;

namespace partyline {

subscription_run::subscription_run(asio::any_io_executor home, task<void> serving,
                                   std::shared_ptr<const subscription_slot> slot) noexcept
    : home_(std::move(home)), slot_(std::move(slot)), serving_(std::move(serving))
{
}

// Without having completed: what the task awaited has gone.
subscription_run::~subscription_run()
{
    if (of_)
        of_->end();
}

void subscription_run::launch(std::shared_ptr<subscription_state> of)
{
    of_ = std::move(of);
    try {
        if (const asio::any_io_executor& other = of_->kind().options.executor)
            home_ = asio::make_strand(other);
        post_persistently(home_, [self = shared_from_this()] { self->start(); });
    } catch (...) {
        of_.reset();
        throw;
    }
}

void subscription_run::start() noexcept
{
    try {
        partyline::co_spawn(
            home_, std::move(serving_),
            asio::bind_cancellation_slot(signal_.slot(), [self = shared_from_this()](std::exception_ptr thrown) {
                const std::shared_ptr<subscription_state> of = std::exchange(self->of_, nullptr);
                of->on_ended(std::move(thrown));
            }));
    } catch (...) { // also what the beginning of an operation throws past the task
        if (const std::shared_ptr<subscription_state> of = std::exchange(of_, nullptr))
            of->on_ended(std::current_exception());
    }
}

// Without memory for it twice in a row, the task goes on until it sends.
void subscription_run::cancel() noexcept
{
    try {
        post_persistently(home_, [self = shared_from_this()] { self->emit_cancel(); });
    } catch (...) {
    }
}

void subscription_run::emit_cancel() noexcept
{
    try {
        signal_.emit(asio::cancellation_type::all);
    } catch (...) { // it has no memory to end what it awaits, which ends by itself or not
    }
}

} // namespace partyline
