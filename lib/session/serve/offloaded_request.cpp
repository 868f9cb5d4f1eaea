#include "session/serve/offloaded_request.hpp"

#include "session/calls/call_table.hpp"
#include "session/requests/error_replies.hpp"
#include "session/serve/request_host.hpp"

#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/system/system_error.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline {
namespace {

// How much may be on its way to the session's executor before the handler waits, and progress is coalesced.
constexpr std::size_t in_transit = std::size_t(64) << 10;

} // namespace

/// Goes with the handler to wherever it runs. When it is dropped without having been called, because that executor was
/// shut down, the request is answered all the same.
struct offload_ticket {
    std::shared_ptr<offloaded_request> request;

    explicit offload_ticket(std::shared_ptr<offloaded_request> r) noexcept : request(std::move(r)) {}
    offload_ticket(offload_ticket&&) noexcept = default;
    ~offload_ticket()
    {
        if (request)
            request->on_dropped();
    }

    void operator()()
    {
        const std::shared_ptr<offloaded_request> started = std::exchange(request, nullptr);
        if (started->run())
            started->hand_back();
    }
};

offloaded_request::offloaded_request(request_host& owner, std::string text, const method_options& options)
    : served_request(owner), hold_(owner.shared_from_this()), session_executor_(owner.session_executor()),
      strand_(asio::prefer(asio::any_io_executor(asio::make_strand(options.executor)),
                           asio::execution::outstanding_work.tracked)),
      text_(std::move(text))
{
}

void offloaded_request::start()
{
    more(); // later, either side could be the first to ask for it
    asio::post(strand_, offload_ticket(shared_from_this()));
}

// True when the handler has ended.
bool offloaded_request::run()
{
    try {
        if (callee->target->how() == handler::kind::task)
            return run_task();
        callee->target->call(*this, json_view::checked(text_), *this);
    } catch (const rpc_error& thrown) {
        try {
            refuse(thrown.error());
        } catch (...) { // no memory for a copy
            error_ = plain_internal_error();
        }
    } catch (...) {
        fail(std::current_exception());
    }
    return true;
}

bool offloaded_request::run_task()
{
    root_ = callee->target->start(*this, json_view::checked(text_));
    if (!root_)
        detail::throw_empty_task();
    running_ = shared_from_this(); // before: it may be cancelled as soon as it is suspended
    if (!detail::task_runner::start(root_.promise(), root_.frame(),
                                    {.drops = callee->options.on_cancel == cancelled_task::dropped}))
        return false;
    settle();
    running_.reset();
    return true;
}

void offloaded_request::settle()
{
    if (task_ending() == ending::dropped)
        error_ = cancelled_error(cause.load());
    else if (task_ending() == ending::lost)
        error_ = plain_internal_error();
    else if (root_.promise().error)
        fail(std::exchange(root_.promise().error, {}));
    else {
        try {
            root_.deliver(*this, *this);
        } catch (...) {
            fail(std::current_exception());
        }
    }
    root_.reset();
    release_beside(); // the executor may be gone before this is
}

void offloaded_request::on_task_ended()
{
    const std::shared_ptr<offloaded_request> self = std::move(running_);
    settle();
    hand_back();
}

void offloaded_request::fail(std::exception_ptr thrown) noexcept
{
    error_ = owner_.error_for(*this, std::move(thrown));
}

void offloaded_request::write(const boost::json::value& result)
{
    if (const auto problem = write_value(result_, result, owner_.context().options.bounds.depth))
        error_ = unwritable_error(*problem);
}

void offloaded_request::write(json_view result)
{
    write_text(result_, result);
}

void offloaded_request::write(const json_text& result)
{
    if (const auto problem = write_text(result_, result, owner_.context().options.bounds.depth))
        error_ = unwritable_error(*problem);
}

void offloaded_request::refuse(const error_object& error)
{
    owner_.note_refusal(*this, error);
    error_ = error;
}

void offloaded_request::hand_back() noexcept
{
    drop_attached();
    close_strand();
    try {
        if (!session_executor_->post([self = shared_from_this()] { self->deliver(); }))
            hold_.reset();            // the session gave us up
    } catch (const std::bad_alloc&) { // nor can the session be told: it refers to us until its end
        const std::lock_guard lock(mutex_);
        undelivered_ = shared_from_this();
    }
}

void offloaded_request::on_given_up() noexcept
{
    std::shared_ptr<offloaded_request> self;
    {
        const std::lock_guard lock(mutex_);
        self = std::move(undelivered_);
    }
    if (self)
        hold_.reset(); // not the last: somebody ends the session
} // `self` may have been the last reference

void offloaded_request::close_strand() noexcept
{
    const std::lock_guard lock(mutex_);
    strand_ = {};
}

asio::any_io_executor offloaded_request::get_executor() const
{
    const std::lock_guard lock(mutex_);
    return strand_;
}

void offloaded_request::on_dropped() noexcept
{
    error_ = plain_internal_error();
    hand_back();
}

void offloaded_request::deliver() noexcept
{
    const std::shared_ptr<request_host> hold = std::move(hold_);
    if (error_)
        hold->finish(*this, *error_);
    else
        hold->finish(*this, json_view::checked(result_.view()));
    hold->drive();
}

void offloaded_request::emit_cancel()
{
    const std::lock_guard lock(mutex_);
    if (strand_)
        asio::post(strand_, [self = shared_from_this()] { self->cancel_handler(); });
}

// It runs code of the handler's own; where that throws, the handler goes on as if it ignored the cancel.
void offloaded_request::cancel_handler() noexcept
{
    if (!get_executor())
        return;                                       // it has ended
    const std::shared_ptr<request_host> hold = hold_; // it may end now
    try {
        cancel_task(asio::cancellation_type::all);
    } catch (...) {
        owner_.log_exception("a handler could not be cancelled: ", std::current_exception());
    }
}

void offloaded_request::say(std::string_view method, std::string_view params, bool is_replaceable)
{
    notification_text next{std::string(method), std::string(params), is_replaceable};
    const std::lock_guard lock(mutex_);
    unsent_notifications& unsent = more().unsent;
    if (!is_replaceable && !unsent.takes(next, owner_.context().options.bounds.message_bytes))
        throw boost::system::system_error(errc::overloaded);
    coalesced_ += unsent.add(std::move(next)) ? 1 : 0;
    if (is_announced_)
        return;
    is_announced_ = session_executor_->post([self = shared_from_this()] { self->announce(); });
    if (!is_announced_)
        unsent = unsent_notifications(in_transit); // the session gave us up: nobody will hear it
}

void offloaded_request::announce()
{
    {
        const std::lock_guard lock(mutex_);
        is_announced_ = false;
        owner_.context().counters.coalesced_progress.add(std::exchange(coalesced_, 0));
    }
    owner_.collect_from(*this);
    owner_.drive();
}

bool offloaded_request::take_unsent(notification_text& out)
{
    const std::lock_guard lock(mutex_);
    return more().unsent.take(out);
}

std::size_t offloaded_request::coalesce_above() const noexcept
{
    return in_transit;
}

// What is only on its way does not hold the handler up.
bool offloaded_request::must_wait()
{
    const std::lock_guard lock(mutex_);
    is_waiting_ = more().unsent.bytes() > in_transit;
    return is_waiting_;
}

void offloaded_request::on_unsent_taken()
{
    const std::lock_guard lock(mutex_);
    if (!is_waiting_ || more().unsent.bytes() > in_transit || !strand_)
        return;
    is_waiting_ = false;
    asio::post(strand_, [self = shared_from_this()] { self->wake(); });
}

void offloaded_request::tell_session(void (request_host::*what)(served_request&))
{
    session_executor_->post([self = shared_from_this(), what] {
        self->owner_.guarded([&] { (self->owner_.*what)(*self); });
        self->owner_.drive();
    });
}

void offloaded_request::take_to_session(const std::shared_ptr<outgoing_message>& message)
{
    bool is_open = false;
    try {
        is_open = session_executor_->post([self = shared_from_this(), message] {
            self->owner_.start_call(message, self.get());
            self->owner_.drive();
        });
    } catch (const std::bad_alloc&) { // said below
    }
    if (!is_open)
        call_table::refuse(*message, errc::session_closed);
}

void offloaded_request::begin_peer_wait()
{
    tell_session(&request_host::begin_peer_wait);
}

void offloaded_request::end_peer_wait()
{
    tell_session(&request_host::end_peer_wait);
}

} // namespace partyline
