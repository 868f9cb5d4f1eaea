#include <partyline/session/detail/spawned_task.hpp>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>

#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline::detail {

spawned_task::spawned_task(asio::any_io_executor home)
    : home_(asio::prefer(std::move(home), asio::execution::outstanding_work.tracked))
{
}

void spawned_task::launch()
{
    asio::dispatch(home_, [self = shared_from_this()] { self->begin(); });
}

void spawned_task::cancel(asio::cancellation_type type)
{
    if (has_begun_)
        cancel_task(type);
    else
        was_cancelled_ = true;
}

void spawned_task::begin()
{
    has_begun_ = true;
    const coroutine what = first();
    if (!start(what.promise, what.frame, {.is_cancelled = was_cancelled_})) {
        self_ = shared_from_this();
        return;
    }
    try {
        asio::post(home_, [self = shared_from_this()] { self->end(); });
    } catch (const std::bad_alloc&) { // better from within than never
        end();
    }
}

void spawned_task::on_task_ended()
{
    const std::shared_ptr<spawned_task> self = std::move(self_);
    if (task_ending() != ending::lost)
        return end();
    try { // it goes away where it runs, and whoever waits for it with it
        asio::dispatch(home_, [self] {});
    } catch (const std::bad_alloc&) { // then here
    }
}

void spawned_task::end()
{
    if (task_ending() == ending::lost)
        return;
    release_beside();
    complete();
}

} // namespace partyline::detail
