#pragma once

#include "session/owned_descriptor.hpp"
#include "transport/socket/listener.hpp"
#include "transport/socket/socket_calls.hpp"

#include <partyline/transport/detail/secure_layer.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace partyline {

/// A connected socket, plain or with what encrypts it, of which some bytes may have been read already: those come
/// first.
///
/// It is an Asio stream that never blocks. Whoever reads little waits by `async_wait` and takes what there is by
/// `read_some`, and so needs no buffer meanwhile.
/// Thread safety: none.
class socket_channel {
public:
    using executor_type = boost::asio::any_io_executor;
    using lowest_layer_type = listener::socket;
    using protocol_type = lowest_layer_type::protocol_type;
    using wait_type = lowest_layer_type::wait_type;
    static constexpr wait_type wait_read = lowest_layer_type::wait_read;
    static constexpr wait_type wait_write = lowest_layer_type::wait_write;
    static constexpr wait_type wait_error = lowest_layer_type::wait_error;
    static constexpr auto shutdown_send = lowest_layer_type::shutdown_send;

    explicit socket_channel(lowest_layer_type socket, std::string first = {})
        : socket_(std::move(socket)), first_(std::move(first))
    {
        error_code ignored; // then the first read fails
        socket_.non_blocking(true, ignored);
    }
    socket_channel(lowest_layer_type socket, std::unique_ptr<detail::secure_layer> layer)
        : socket_channel(std::move(socket))
    {
        layer_ = std::move(layer);
    }
    /// The same, where `more` has been read of it and is to be read again.
    socket_channel with_first(std::string_view more) &&
    {
        first_.insert(0, more);
        return std::move(*this);
    }
    /// The same for use on another executor, from now on by its thread. What waits for it fails with
    /// `operation_aborted`. Throws `system_error` where the system refuses that: then it is closed.
    socket_channel on(const executor_type& other) &&
    {
        const protocol_type protocol = socket_.local_endpoint().protocol();
        lowest_layer_type socket(other);
        owned_descriptor descriptor(socket_.release());
        error_code failed;
        assign(socket, protocol, std::move(descriptor), failed);
        if (failed)
            throw boost::system::system_error(failed, "a connection can't move to another thread");
        socket_channel moved(std::move(socket), std::move(first_));
        moved.layer_ = std::move(layer_); // which knows the descriptor: it stays the same
        return moved;
    }
    socket_channel(socket_channel&&) = default;
    // NOLINTNEXTLINE(performance-noexcept-move-constructor): Asio's may throw
    socket_channel& operator=(socket_channel&&) = default;

    /// What has come from here on is encrypted, and what is sent.
    void encrypt(std::unique_ptr<detail::secure_layer> layer) noexcept { layer_ = std::move(layer); }

    executor_type get_executor() { return socket_.get_executor(); }
    lowest_layer_type& lowest_layer() noexcept { return socket_; }
    const lowest_layer_type& lowest_layer() const noexcept { return socket_; }
    /// Null where nothing encrypts.
    detail::secure_layer* layer() const noexcept { return layer_.get(); }
    bool is_open() const noexcept { return socket_.is_open(); }

    /// It never blocks.
    void non_blocking(bool, error_code& failed) { failed = {}; }

    /// Reads what there is; fails with `would_block` where there is nothing.
    std::size_t read_some(boost::asio::mutable_buffer target, error_code& failed)
    {
        if (!first_.empty()) [[unlikely]]
            return take_first(target, failed);
        return layer_ ? layer_->read_some(target, failed) : socket_.read_some(target, failed);
    }
    /// Writes what goes out; fails with `would_block` where that is nothing.
    std::size_t write_some(boost::asio::const_buffer source, error_code& failed)
    {
        return layer_ ? layer_->write_some(source, failed) : socket_.write_some(source, failed);
    }

    /// Waits until it is worth while to read, or to write: void(error_code). Not for ever where something was read
    /// already. An error is one of the socket, whatever encrypts it.
    template <class Handler>
    void async_wait(wait_type what, Handler handler)
    {
        if (what == wait_read && has_pending())
            return boost::asio::post(socket_.get_executor(), boost::asio::append(std::move(handler), error_code()));
        socket_.async_wait(socket_wait(what), std::move(handler));
    }

    /// Reads at least one byte: void(error_code, std::size_t).
    template <class Handler>
    void async_read_some(boost::asio::mutable_buffer target, Handler handler)
    {
        if (!layer_ && first_.empty())
            return socket_.async_read_some(target, std::move(handler));
        start_transfer(wait_read, std::move(handler),
                       [this, target](error_code& failed) { return read_some(target, failed); });
    }
    /// Writes at least one byte: void(error_code, std::size_t).
    template <class Handler>
    void async_write_some(boost::asio::const_buffer source, Handler handler)
    {
        if (!layer_)
            return socket_.async_write_some(source, std::move(handler));
        start_transfer(wait_write, std::move(handler),
                       [this, source](error_code& failed) { return write_some(source, failed); });
    }

    /// Tells the peer that nothing more will come.
    void shutdown(lowest_layer_type::shutdown_type, error_code& failed)
    {
        if (layer_)
            layer_->close_send();
        socket_.shutdown(lowest_layer_type::shutdown_send, failed);
    }
    void close(error_code& failed)
    {
        layer_.reset();
        socket_.close(failed);
    }

private:
    bool has_pending() const noexcept { return !first_.empty() || (layer_ && layer_->has_pending()); }

    wait_type socket_wait(wait_type what) const noexcept
    {
        if (!layer_ || what == wait_error)
            return what;
        using need = detail::secure_layer::need;
        const need next = what == wait_read ? layer_->read_needs() : layer_->write_needs();
        return next == need::read ? wait_read : wait_write;
    }

    std::size_t take_first(boost::asio::mutable_buffer target, error_code& failed)
    {
        failed = {};
        const std::size_t count = boost::asio::buffer_copy(target, boost::asio::buffer(first_));
        first_.erase(0, count);
        if (first_.empty())
            first_ = std::string();
        return count;
    }

    // Tries, and where that would block waits and tries again. It is told later in any case. A cancel or a close may
    // come when the wait is over, and then there is nothing left that it would end.
    template <class Handler, class Try>
    void start_transfer(wait_type what, Handler handler, Try attempt)
    {
        boost::asio::async_compose<Handler, void(error_code, std::size_t)>(
            [this, what, attempt = std::move(attempt), is_first = true](auto& self, error_code failed = {},
                                                                        std::size_t count = 0) mutable {
                const bool is_over = count != 0 || (failed && !is_first);
                if (is_first && what == wait_read) // nothing has been read when it is cancelled, whichever way
                    self.reset_cancellation_state(boost::asio::enable_total_cancellation());
                const bool has_waited = !is_first && !is_over;
                if (has_waited && (!is_open() || self.cancelled() != boost::asio::cancellation_type::none))
                    return self.complete(boost::asio::error::operation_aborted, 0);
                if (!is_over) {
                    const bool may_tell = !std::exchange(is_first, false);
                    count = attempt(failed);
                    if (failed == boost::asio::error::would_block)
                        return async_wait(what, std::move(self));
                    if (!may_tell)
                        return boost::asio::post(socket_.get_executor(),
                                                 boost::asio::append(std::move(self), failed, count));
                }
                self.complete(failed, count);
            },
            handler, socket_);
    }

    lowest_layer_type socket_;
    std::unique_ptr<detail::secure_layer> layer_;
    std::string first_;
};

} // namespace partyline
