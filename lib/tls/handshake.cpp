#include "tls/handshake.hpp"

#include "tls/context/client_core.hpp"
#include "tls/context/server_context_core.hpp"

#include <partyline/connect.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>

#include <new>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::tls {

handshake::handshake(asio::any_io_executor executor, stream_handler done)
    : executor_(std::move(executor)), strand_(asio::make_strand(executor_)), timer_(strand_), none_(executor_),
      done_(std::move(done), executor_)
{
}

void handshake::accept(stream::lowest_layer_type socket, server_context context)
{
    error_code ignored; // it works without, as over a Unix socket
    socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    auto core = context.core_;
    auto kept = std::make_shared<stream::lowest_layer_type>(std::move(socket));
    start([this, kept, core] {
        const auto make = [&core](int descriptor) { return core->make_layer(descriptor, {}); };
        shake(std::move(*kept), make, core->options().handshake_timeout);
    });
}

void handshake::connect(std::string host, std::uint16_t port, client_context context)
{
    start([this, host = std::move(host), port, core = context.core_] {
        auto on_connected = [self = shared_from_this(), this, host, core](error_code failed, tcp_socket socket) {
            if (failed || is_settled_)
                return settle(failed);
            const auto make = [&](int descriptor) { return core->make_layer(descriptor, host); };
            guarded([&] { shake(std::move(socket), make, core->options().handshake_timeout); });
        };
        async_connect_tcp(
            executor_, host, port,
            asio::bind_cancellation_slot(connecting_.slot(), asio::bind_executor(strand_, std::move(on_connected))));
    });
}

void handshake::start(std::function<void()> work)
{
    done_.on_cancel([weak = weak_from_this()] {
        if (const auto self = weak.lock())
            asio::post(self->strand_, [self] { self->settle(asio::error::operation_aborted); });
    });
    asio::post(strand_, [self = shared_from_this(), work = std::move(work)] {
        if (!self->is_settled_)
            self->guarded(work);
    });
}

// What is thrown here is for want of memory, or for a name that no server can have.
void handshake::guarded(const std::function<void()>& step) noexcept
{
    try {
        step();
    } catch (const std::invalid_argument&) {
        settle(asio::error::invalid_argument);
    } catch (...) {
        settle(asio::error::no_memory);
    }
}

void handshake::shake(stream::lowest_layer_type socket, const make_layer& make,
                      std::chrono::steady_clock::duration bound)
{
    auto encrypting = make(socket.native_handle());
    core_ = std::make_shared<stream_core>(std::move(socket), std::move(encrypting));
    timer_.expires_after(bound);
    timer_.async_wait([self = weak_from_this()](error_code failed) {
        const auto shaking = self.lock();
        if (!failed && shaking)
            shaking->settle(asio::error::timed_out);
    });
    go_on();
}

void handshake::go_on()
{
    const error_code failed = core_->channel().layer()->handshake();
    if (failed == asio::error::would_block)
        return wait(stream::wait_read); // or for what the layer needs to go on with that
    settle(failed);
}

void handshake::wait(stream::wait_type what)
{
    core_->channel().async_wait(what,
                                asio::bind_executor(strand_, [self = shared_from_this(), this](error_code failed) {
                                    if (!is_settled_)
                                        failed ? settle(failed) : guarded([this] { go_on(); });
                                }));
}

// It takes memory to tell. Whoever is not told connects to the end, and what comes of that is dropped.
void handshake::stop_connecting() noexcept
{
    try {
        connecting_.emit(asio::cancellation_type::terminal);
    } catch (const std::bad_alloc&) {
    }
}

void handshake::settle(error_code failed) noexcept
{
    if (std::exchange(is_settled_, true))
        return;
    timer_.cancel();
    stop_connecting();
    if (failed && core_) {
        error_code ignored;
        core_->channel().lowest_layer().shutdown(stream::shutdown_send, ignored); // an alert that was sent comes first
        core_->channel().close(ignored);
    }
    done_(shared_from_this(), failed, failed ? std::move(none_) : stream(std::move(core_)));
}

void start_accept(stream::lowest_layer_type socket, server_context context, stream_handler done)
{
    const asio::any_io_executor executor = socket.get_executor();
    std::make_shared<handshake>(executor, std::move(done))->accept(std::move(socket), std::move(context));
}

void start_connect(asio::any_io_executor executor, std::string host, std::uint16_t port, client_context context,
                   stream_handler done)
{
    std::make_shared<handshake>(std::move(executor), std::move(done))
        ->connect(std::move(host), port, std::move(context));
}

} // namespace partyline::tls
