#include "server/accept_loop.hpp"

#include "session/persistent_post.hpp"

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline {
namespace {

using namespace std::chrono_literals;

constexpr auto pause_after_failure = 250ms;
constexpr int accepts_in_a_row = 16; // then others have their turn on this thread

// Half leaves room for others. Where there is little room at all, somebody has few peers, and knows them.
std::size_t max_per_address(const accept_loop::bounds& most)
{
    return most.per_address.value_or(std::max<std::size_t>(most.connections / 2, 64));
}

} // namespace

accept_loop::accept_loop(std::unique_ptr<server_threads> threads, asio::any_io_executor strand, bounds most,
                         std::shared_ptr<connection_service> service, accept_log::line_writer log)
    : threads_(std::move(threads)), strand_(std::move(strand)), most_(most.connections), service_(std::move(service)),
      write_log_(std::move(log)), life_(strand_), pause_(strand_), lame_duck_(strand_),
      addresses_(max_per_address(most)), log_(write_log_)
{
    if (most.connections == 0)
        throw std::invalid_argument("a server needs room for a connection");
    if (most.per_address == std::size_t(0))
        throw std::invalid_argument("a server needs room for a connection from each address");
}

// It may be destroyed with its context, before its end. What a service keeps for later connections may own the service.
accept_loop::~accept_loop()
{
    served_.clear();
    service_->on_over();
}

void accept_loop::add(std::unique_ptr<listener> one)
{
    asio::post(strand_, [self = shared_from_this(), one = std::move(one)]() mutable {
        if (self->ending_)
            return one->close();
        self->sources_.push_back(std::make_shared<source>(std::move(one)));
        self->resume();
    });
}

void accept_loop::start(completion done)
{
    // Here, and never cleared: a slot belongs to whoever starts the operation, and to that thread.
    const auto slot = asio::get_associated_cancellation_slot(done);
    if (slot.is_connected()) {
        asio::cancellation_slot(slot).assign([self = weak_from_this()](asio::cancellation_type) {
            if (const auto loop = self.lock())
                loop->end(ending::at_once);
        });
    }
    asio::dispatch(strand_,
                   [self = shared_from_this(), done = std::move(done)]() mutable { self->on_start(std::move(done)); });
}

void accept_loop::end(ending how)
{
    asio::post(strand_, [self = shared_from_this(), how] { self->on_end(how); });
}

void accept_loop::on_start(completion done)
{
    if (std::exchange(has_started_, true)) {
        asio::post(strand_, asio::append(std::move(done), make_error_code(errc::already_started)));
        return;
    }
    done_.emplace(std::move(done));
    life_.start(shared_from_this());
    resume();
    complete_if_over();
}

void accept_loop::resume()
{
    if (!has_started_ || ending_ || is_pausing_)
        return;
    for (const auto& one : sources_) {
        if (!one->is_waiting && served_.size() < most_)
            wait_at(one);
    }
}

void accept_loop::wait_at(const std::shared_ptr<source>& at)
{
    try_twice([&] {
        at->from->async_wait(asio::bind_executor(strand_, [self = shared_from_this(), at](error_code failed) {
            at->is_waiting = false;
            if (!failed && !self->ending_ && !self->is_pausing_)
                self->on_ready(at);
        }));
    });
    at->is_waiting = true;
}

void accept_loop::on_ready(const std::shared_ptr<source>& at)
{
    error_code failed;
    try {
        failed = accept_some(at);
        if (!failed)
            resume();
    } catch (const std::bad_alloc&) {
        failed = make_error_code(boost::system::errc::not_enough_memory);
    }
    if (failed)
        pause(*at->from, failed);
}

error_code accept_loop::accept_some(const std::shared_ptr<source>& at)
{
    for (int i = 0; i < accepts_in_a_row && served_.size() < most_; ++i) {
        error_code failed;
        listener::connection accepted = at->from->accept(threads_->executor(next_thread_), failed);
        if (failed)
            return failed == asio::error::would_block ? error_code() : failed;
        take(std::move(accepted));
        give_way(at);
    }
    return {};
}

// Behind the others: where room is scarce, they have the next turn.
void accept_loop::give_way(const std::shared_ptr<source>& one)
{
    const auto found = std::find(sources_.begin(), sources_.end(), one);
    std::rotate(found, found + 1, sources_.end());
}

// No error is the end of listening: most pass, such as a lack of descriptors, and of the rest the log can tell.
void accept_loop::pause(const listener& at, const error_code& failed) noexcept
{
    log_.accept_failed(at, failed);
    try {
        try_twice([this] {
            pause_.expires_after(pause_after_failure);
            pause_.async_wait([self = shared_from_this()](error_code) {
                self->is_pausing_ = false;
                self->resume();
            });
        });
        is_pausing_ = true;
    } catch (const std::bad_alloc&) { // the end of a session goes on with it
    }
}

// What is not served is closed, and the others are served all the same.
void accept_loop::take(listener::connection accepted) noexcept
{
    connection_place place = served_.end();
    try {
        place = served_.emplace(place);
        if (service_->is_by_proxy(accepted) || count_address(*place, accepted.peer.address))
            return serve(place, std::move(accepted));
    } catch (...) { // no memory, or on_session_start
        log_.serve_failed();
    }
    if (place != served_.end())
        forget(place);
}

// False: as many are open as there may be from there. A proxy's connection says so on its own thread.
bool accept_loop::count_address(connection& one, const std::optional<ip_endpoint>& from)
{
    const std::lock_guard lock(counting_);
    if (from && !addresses_.add(from->ip)) {
        log_.refused(*from);
        return false;
    }
    one.address = from;
    return true;
}

// The loop is kept alive by its timer: it owns the connection, which owns the hooks.
void accept_loop::serve(connection_place which, listener::connection accepted)
{
    connections_ = served_.size(); // before it is served, which may be seen at once
    connection_hooks hooks;
    hooks.thread = next_thread_;
    next_thread_ = (next_thread_ + 1) % threads_->size();
    hooks.on_end = [self = weak_from_this(), which](error_code why) {
        if (const auto loop = self.lock())
            loop->on_connection_end(which, why);
    };
    if (service_->is_by_proxy(accepted)) {
        hooks.on_client = [self = weak_from_this(), which](const std::optional<ip_endpoint>& from) {
            const auto loop = self.lock();
            return loop && loop->count_address(*which, from);
        };
    }
    which->served = service_->serve(std::move(accepted), std::move(hooks));
    if (!which->served)
        forget(which);
}

// It is destroyed with what this returns.
std::list<accept_loop::connection> accept_loop::forget(connection_place which) noexcept
{
    std::list<connection> gone;
    gone.splice(gone.end(), served_, which);
    if (const std::lock_guard lock(counting_); which->address)
        addresses_.remove(which->address->ip);
    connections_ = served_.size();
    return gone;
}

void accept_loop::on_connection_end(connection_place which, error_code why)
{
    std::list<connection> gone = forget(which);
    log_.session_ended(why);
    tell_end(*which->served, why);
    gone.clear();
    pause_.cancel(); // there is a descriptor now
    resume();
    complete_if_over();
}

void accept_loop::tell_end(served_connection& gone, const error_code& why) noexcept
{
    try {
        service_->note_end(gone, why);
    } catch (...) {
        log_.hook_threw();
    }
}

void accept_loop::on_end(ending how)
{
    if (ending_ == ending::at_once || ending_ == how)
        return;
    ending_ = how;
    lame_duck_.cancel();
    if (how == ending::in_order)
        service_->begin_drain();
    stop_listening();
    pause_.cancel();
    for (auto next = served_.begin(); next != served_.end();) {
        connection& each = *next++; // it may leave at once where there is no memory to tell of its end
        how == ending::in_order ? each.served->close_in_order() : each.served->stop_at_once();
    }
    complete_if_over();
}

void accept_loop::complete_if_over()
{
    if (!ending_ || !done_ || !served_.empty())
        return;
    life_.stop();
    service_->on_over();
    completion done = std::move(*done_);
    done_.reset();
    const error_code result = ending_ == ending::in_order ? error_code() : asio::error::operation_aborted;
    asio::post(strand_, asio::append(std::move(done), result));
}

} // namespace partyline
