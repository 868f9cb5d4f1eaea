#include "http/serve/shard_connection.hpp"

#include "http/serve/http_service.hpp"
#include "session/persistent_post.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include <exception>
#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {

// Null where the server's context is being destroyed.
std::shared_ptr<http_service> shard_connection::shard() const noexcept
{
    const std::shared_ptr<service_shards> all = all_.lock();
    return all ? all->at(at_) : nullptr;
}

connection_mover shard_connection::mover()
{
    return [self = weak_from_this()](std::size_t to, moved_connection one) {
        if (const auto alive = self.lock())
            alive->move(to, std::move(one));
    };
}

void shard_connection::begin(listener::connection accepted, connection_hooks hooks, const asio::any_io_executor& strand)
{
    hooks.on_end = [strand, told = std::move(hooks.on_end)](error_code why) {
        post_persistently(strand, [told, why] { told(why); });
    };
    const std::shared_ptr<http_service> on = shard();
    auto first = [self = shared_from_this(), on, accepted = std::move(accepted), hooks = std::move(hooks)]() mutable {
        const auto on_end = hooks.on_end;
        self->enter(*on, on_end, [&] { return on->serve(std::move(accepted), std::move(hooks), self->mover()); });
    };
    asio::dispatch(on->executor(), std::move(first));
}

// What goes wrong ends this connection, and no other one.
template <class Make>
void shard_connection::enter(http_service& on, const std::function<void(error_code)>& on_end, const Make& make) noexcept
{
    try {
        one_ = make();
        if (must_stop_)
            one_->stop_at_once();
    } catch (...) {
        on.note_failure(std::current_exception());
        on.post_end(on_end);
    }
}

void shard_connection::have_done(step what)
{
    const std::size_t at = at_;
    const std::shared_ptr<http_service> on = shard();
    if (!on)
        return;
    post_persistently(on->executor(), [self = shared_from_this(), at, what] {
        if (self->at_ == at)
            (self.get()->*what)();
        else
            self->have_done(what); // it has moved
    });
}

void shard_connection::close_in_order()
{
    have_done(&shard_connection::close_here);
}

void shard_connection::stop_at_once()
{
    have_done(&shard_connection::stop_here);
}

void shard_connection::drop() noexcept
{
    try {
        have_done(&shard_connection::drop_here);
    } catch (const std::bad_alloc&) { // whoever lets go of it last destroys it
    }
}

// One that moves has nothing under way: it sees that the server drains when it answers.
void shard_connection::close_here()
{
    if (const std::shared_ptr<http_service> on = shard(); on && !on->is_draining())
        on->begin_drain();
    if (one_)
        one_->close_in_order();
}

void shard_connection::stop_here()
{
    if (one_)
        one_->stop_at_once();
    else
        must_stop_ = true;
}

// The old stages are on the stack, and are destroyed behind it, on this thread.
void shard_connection::move(std::size_t to, moved_connection what)
{
    const std::shared_ptr<http_service> from = shard();
    const std::shared_ptr<service_shards> all = all_.lock();
    if (!from || !all)
        return;
    const std::shared_ptr<http_service> next = all->at(to);
    what.channel = std::move(what.channel).on(next->executor());
    const auto old = std::make_shared<std::unique_ptr<served_connection>>();
    asio::post(from->executor(), [old] { old->reset(); });
    *old = std::move(one_);
    at_ = to;
    asio::post(next->executor(), [self = shared_from_this(), next, what = std::move(what)]() mutable {
        const auto on_end = what.on_end;
        self->enter(*next, on_end, [&] { return next->resume(std::move(what), self->mover()); });
    });
}

} // namespace partyline::http
