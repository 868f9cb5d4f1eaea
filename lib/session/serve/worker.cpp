#include "session/serve/worker.hpp"

#include "session/requests/error_replies.hpp"

#include <boost/asio/dispatch.hpp>

#include <exception>
#include <utility>

namespace asio = boost::asio;

namespace partyline {

void worker::run()
{
    home_ = owner_.context()
                .executor; // first: what a handler awaits may complete in another thread before that is suspended
    do {
        if (!serve())
            return;
    } while (owner_.next_request(*this));
    rest();
}

// True when the handler has ended.
bool worker::serve() noexcept
{
    const method_options& options = callee->options;
    try {
        root_ = callee->target->start(*this, input);
        if (!root_)
            detail::throw_empty_task();
    } catch (...) {
        owner_.finish(*this, std::current_exception());
        drop_attached();
        return true;
    }
    if (!start(root_.promise(), root_.frame(), {.drops = options.on_cancel == cancelled_task::dropped}))
        return false;
    settle();
    return true;
}

// Gives the request its answer.
void worker::settle() noexcept
{
    if (task_ending() == ending::dropped) {
        root_.reset();
        owner_.finish(*this, cancelled_error(cause.load(std::memory_order_relaxed)));
    } else if (task_ending() == ending::lost)
        owner_.finish(*this, plain_internal_error());
    else if (root_.promise().error)
        owner_.finish(*this, std::exchange(root_.promise().error, {}));
    else {
        try {
            root_.deliver(*this, *this);
        } catch (...) {
            owner_.finish(*this, std::current_exception());
        }
    }
    root_.reset();
    drop_attached();
}

void worker::on_task_ended()
{
    if (task_ending() == ending::lost)
        return on_lost();
    settle();
    rest();
}

// The last reference may go here, and this worker with it.
void worker::rest()
{
    home_ = {};
    if (owner_.recycle(*this))
        return;
    const std::shared_ptr<request_host> last = std::move(held);
    owner_.retire(*this);
}

// What the handler awaited has gone, as it does with its io_context: then nobody else would let go of the conversation.
// The frame goes where it ran; while the io_context is being destroyed, with the function that is to do that.
void worker::on_lost() noexcept
{
    struct remains {
        std::shared_ptr<request_host> owner;
        detail::task_root root; // goes first
    };
    const asio::any_io_executor there = std::exchange(home_, {});
    try {
        const auto left = std::make_shared<remains>(remains{std::move(held), std::move(root_)});
        asio::dispatch(there, [left, this] {
            left->root.reset();
            if (!left->owner->context().end.has_ended())
                left->owner->on_worker_lost(*this);
        });
    } catch (...) { // the end of the session gives it up
    }
}

void worker::emit_cancel()
{
    // `total` alone would not end composed operations such as async_read.
    cancel_task(asio::cancellation_type::all);
}

asio::any_io_executor worker::get_executor() const
{
    return owner_.context().executor;
}

void worker::say(std::string_view method, std::string_view text, bool is_replaceable)
{
    owner_.send_notification(*this, method, text, is_replaceable);
}

bool worker::take_unsent(notification_text& out)
{
    return has_unsent() && unsent().take(out);
}

void worker::on_unsent_taken()
{
    if (!has_unsent())
        wake();
}

void worker::take_to_session(const std::shared_ptr<outgoing_message>& message)
{
    owner_.start_call(message, this);
}

void worker::begin_peer_wait()
{
    owner_.begin_peer_wait(*this);
}

void worker::end_peer_wait()
{
    owner_.end_peer_wait(*this);
}

} // namespace partyline
