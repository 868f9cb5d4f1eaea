#include "http/client/websocket_stream.hpp"

#include "http/connections/client_failure.hpp"
#include "transport/socket/socket_channel.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/transport/detail/stream_adapter.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <exception>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

partyline::detail::end_reason reason_of(const boost::system::system_error& failed) noexcept
{
    try {
        return {failed.code(), exception_details(failed), true};
    } catch (...) { // no memory for the words
        return {failed.code(), {}, true};
    }
}

} // namespace

// The connection, and the operations that wait for it. It outlives the stream while connecting.
struct websocket_stream::opening : std::enable_shared_from_this<opening> {
    opening(connector to, std::vector<std::string> names, std::function<void(const std::string&)> told)
        : by(std::move(to)), subprotocols(std::move(names)), on_subprotocol(std::move(told))
    {
    }

    struct waiting_read {
        asio::mutable_buffer target;
        std::shared_ptr<user> told;
    };
    struct waiting_write {
        asio::const_buffer source;
        std::shared_ptr<user> told;
    };

    asio::awaitable<void> run()
    {
        opened_websocket opened = co_await open_websocket(by, subprotocols);
        if (on_subprotocol)
            on_subprotocol(opened.subprotocol);
        connected = std::make_unique<partyline::detail::stream_adapter<socket_channel>>(std::move(opened.channel),
                                                                                        by.executor());
    }
    void on_end(std::exception_ptr thrown);
    void go_on();
    void fail(partyline::detail::end_reason why);

    const connector by;
    const std::vector<std::string> subprotocols;
    const std::function<void(const std::string&)> on_subprotocol;
    std::unique_ptr<byte_stream> connected;
    std::optional<waiting_read> read;
    std::optional<waiting_write> write;
    std::optional<partyline::detail::end_reason> failed; // set where connecting has failed
    asio::cancellation_signal stop;
    bool has_begun = false;
    bool is_closed = false; // before there was a connection
};

void websocket_stream::opening::on_end(std::exception_ptr thrown)
{
    if (is_closed)
        return connected.reset();
    if (!thrown)
        return go_on();
    try {
        std::rethrow_exception(thrown);
    } catch (const boost::system::system_error& e) {
        fail(reason_of(e));
    } catch (...) {
        fail({errc::session_failed, {}, true});
    }
}

void websocket_stream::opening::go_on()
{
    if (auto next = std::exchange(write, std::nullopt))
        connected->start_write(next->source, std::move(next->told));
    if (auto next = std::exchange(read, std::nullopt))
        connected->start_read(next->target, std::move(next->told));
}

void websocket_stream::opening::fail(partyline::detail::end_reason why)
{
    const error_code code = why.code;
    failed = std::move(why);
    if (const auto next = std::exchange(read, std::nullopt))
        next->told->on_read(code, 0);
    if (const auto next = std::exchange(write, std::nullopt))
        next->told->on_written(code, 0);
}

websocket_stream::websocket_stream(connector by, std::vector<std::string> subprotocols,
                                   std::function<void(const std::string&)> on_subprotocol)
    : opening_(std::make_shared<opening>(std::move(by), std::move(subprotocols), std::move(on_subprotocol)))
{
}

websocket_stream::~websocket_stream()
{
    opening_->read.reset();
    opening_->write.reset();
    opening_->stop.emit(asio::cancellation_type::all);
}

void websocket_stream::begin()
{
    if (std::exchange(opening_->has_begun, true))
        return;
    asio::co_spawn(
        opening_->by.executor(), [self = opening_] { return self->run(); },
        asio::bind_cancellation_slot(opening_->stop.slot(),
                                     [self = opening_](std::exception_ptr thrown) { self->on_end(thrown); }));
}

void websocket_stream::start_read(asio::mutable_buffer target, std::shared_ptr<user> told)
{
    if (opening_->connected)
        return opening_->connected->start_read(target, std::move(told));
    if (opening_->failed)
        return asio::post(opening_->by.executor(),
                          [told, failed = opening_->failed->code] { told->on_read(failed, 0); });
    opening_->read = {target, std::move(told)};
    begin();
}

bool websocket_stream::can_wait() const noexcept
{
    return opening_->connected && opening_->connected->can_wait();
}

void websocket_stream::start_wait(std::shared_ptr<user> told)
{
    opening_->connected->start_wait(std::move(told));
}

std::size_t websocket_stream::try_read(asio::mutable_buffer target, error_code& failed)
{
    return opening_->connected->try_read(target, failed);
}

std::size_t websocket_stream::try_write(asio::const_buffer source, error_code& failed)
{
    if (opening_->connected)
        return opening_->connected->try_write(source, failed);
    failed = asio::error::would_block;
    return 0;
}

bool websocket_stream::can_try_write() const noexcept
{
    return opening_->connected && opening_->connected->can_try_write();
}

void websocket_stream::start_write(asio::const_buffer source, std::shared_ptr<user> told)
{
    if (opening_->connected)
        return opening_->connected->start_write(source, std::move(told));
    if (opening_->failed)
        return asio::post(opening_->by.executor(),
                          [told, failed = opening_->failed->code] { told->on_written(failed, 0); });
    opening_->write = {source, std::move(told)};
    begin();
}

void websocket_stream::start_watch(std::shared_ptr<user> told)
{
    if (opening_->connected)
        opening_->connected->start_watch(std::move(told));
}

bool websocket_stream::has_ended_input()
{
    return opening_->connected && opening_->connected->has_ended_input();
}

std::size_t websocket_stream::unread()
{
    return opening_->connected ? opening_->connected->unread() : 0;
}

bool websocket_stream::close_send()
{
    return opening_->connected && opening_->connected->close_send();
}

bool websocket_stream::explains_end() const noexcept
{
    return opening_->failed.has_value();
}

partyline::detail::end_reason websocket_stream::why_ended() const
{
    return opening_->failed.value_or(partyline::detail::end_reason());
}

void websocket_stream::start_close(std::shared_ptr<user> told)
{
    if (opening_->connected)
        return opening_->connected->start_close(std::move(told));
    opening_->has_begun = opening_->is_closed = true;
    asio::post(opening_->by.executor(), [self = opening_, told = std::move(told)] {
        if (!self->failed)
            self->fail({asio::error::operation_aborted, {}, true});
        told->on_closed();
    });
    opening_->stop.emit(asio::cancellation_type::all);
}

} // namespace partyline::http
