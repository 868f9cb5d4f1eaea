#pragma once

#include <partyline/transport/detail/byte_stream.hpp>
#include <partyline/transport/detail/peer_state.hpp>
#include <partyline/transport/detail/sigpipe_block.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <concepts>
#include <memory>
#include <utility>

namespace partyline::detail {

/// A stream that can be told to fail with `would_block` instead of waiting: sockets, descriptors, and
/// `tls::stream` over one; not what wraps a stream of any kind, as Asio's TLS does.
template <class Stream>
concept non_blocking_stream = requires(Stream& stream, boost::asio::const_buffer source, error_code& failed) {
    stream.non_blocking(true, failed);
    stream.write_some(source, failed);
};

/// A stream that can also be waited for until it takes bytes. `async_write_some` would first repeat the write that was
/// refused.
template <class Stream>
concept waiting_stream = non_blocking_stream<Stream> &&
                         requires(Stream& stream) { stream.async_wait(Stream::wait_write, [](error_code) {}); };

/// A descriptor that is no socket: writing to it may raise SIGPIPE, so it is written to only by `write_some`, in a
/// scope where that does no harm.
template <class Stream>
concept descriptor_stream = waiting_stream<Stream> && !requires { typename Stream::protocol_type; };

/// A stream with something behind it that takes its time to end, and then can tell how it did: a child process.
template <class Stream>
concept ending_stream = requires(Stream& stream) {
    stream.async_end([](auto...) {});
    { stream.why_ended() } -> std::same_as<end_reason>;
};

/// A socket, possibly wrapped: its descriptor can be asked about the peer.
template <class Stream>
concept socket_stream = requires(Stream& stream) {
    typename Stream::lowest_layer_type::protocol_type;
    stream.lowest_layer().native_handle();
    stream.lowest_layer().async_wait(Stream::lowest_layer_type::wait_error, [](error_code) {});
};

/// A session ends its stream by one of these.
template <class Stream>
concept closable_stream =
    ending_stream<Stream> || requires(Stream& stream, error_code& failed) { stream.close(failed); } ||
    requires(Stream& stream) { stream.close(); } ||
    requires(Stream& stream, error_code& failed) { stream.lowest_layer().close(failed); };

/// Any Asio stream (AsyncReadStream and AsyncWriteStream) as a `byte_stream`. The adapter owns the stream, and closes
/// it.
template <class Stream>
class stream_adapter final : public byte_stream {
    static_assert(closable_stream<Stream>,
                  "a session closes its stream: it has a close(), or a lowest_layer() with one");

public:
    stream_adapter(Stream stream, boost::asio::any_io_executor executor)
        : stream_(std::move(stream)), executor_(std::move(executor))
    {
        if constexpr (non_blocking_stream<Stream>) {
            error_code failed; // such a stream is only ever written to asynchronously
            stream_.non_blocking(true, failed);
            is_non_blocking_ = !failed;
        }
    }

    void start_read(boost::asio::mutable_buffer target, std::shared_ptr<user> told) override
    {
        if (std::exchange(is_watching_, false)) [[unlikely]]
            watch_.emit(boost::asio::cancellation_type::all);
        stream_.async_read_some(target, on_executor([told = std::move(told)](error_code failed, std::size_t count) {
                                    told->on_read(failed, count);
                                }));
    }

    bool can_wait() const noexcept override { return waits_to_read && is_non_blocking_; }

    void start_wait(std::shared_ptr<user> told) override
    {
        if constexpr (waits_to_read) {
            if (std::exchange(is_watching_, false)) [[unlikely]]
                watch_.emit(boost::asio::cancellation_type::all);
            stream_.async_wait(Stream::wait_read,
                               on_executor([told = std::move(told)](error_code) { told->on_readable(); }));
        }
    }

    std::size_t try_read(boost::asio::mutable_buffer target, error_code& failed) override
    {
        if constexpr (waits_to_read)
            return stream_.read_some(target, failed);
        return byte_stream::try_read(target, failed);
    }

    std::size_t try_write(boost::asio::const_buffer source, error_code& failed) override
    {
        if constexpr (descriptor_stream<Stream>) {
            const sigpipe_block quiet;
            return stream_.write_some(source, failed);
        } else if constexpr (non_blocking_stream<Stream>) {
            if (is_non_blocking_)
                return stream_.write_some(source, failed);
        }
        failed = boost::asio::error::would_block;
        return 0;
    }

    bool can_try_write() const noexcept override { return is_non_blocking_; }

    void start_write(boost::asio::const_buffer source, std::shared_ptr<user> told) override
    {
        if constexpr (waiting_stream<Stream>) {
            if (is_non_blocking_ || descriptor_stream<Stream>)
                return write_when_ready(source, std::move(told));
        }
        stream_.async_write_some(source, on_executor([told = std::move(told)](error_code failed, std::size_t count) {
                                     told->on_written(failed, count);
                                 }));
    }

    void start_watch(std::shared_ptr<user> told) override
    {
        if constexpr (socket_stream<Stream>) {
            if (!is_watching_)
                watch(std::move(told));
            is_watching_ = true;
        }
    }

    bool has_ended_input() override
    {
        if constexpr (socket_stream<Stream>)
            return detail::has_ended_input(stream_.lowest_layer().native_handle());
        return false;
    }

    std::size_t unread() override
    {
        if constexpr (socket_stream<Stream>)
            return unread_bytes(stream_.lowest_layer().native_handle());
        return 0;
    }

    bool is_socket() const noexcept override
    {
        return requires { typename Stream::lowest_layer_type::protocol_type; };
    }

    bool close_send() override
    {
        error_code failed;
        if constexpr (requires { stream_.close_send(); })
            stream_.close_send();
        else if constexpr (requires { stream_.shutdown(Stream::shutdown_send, failed); })
            stream_.shutdown(Stream::shutdown_send, failed);
        else
            return false;
        return !failed;
    }

    void start_close(std::shared_ptr<user> told) override
    {
        if constexpr (ending_stream<Stream>) {
            end_.emit(boost::asio::cancellation_type::all); // what waits for the end already waits no longer
            if (!is_ending_)
                stream_.async_end(boost::asio::bind_cancellation_slot(
                    end_.slot(), on_executor([told = std::move(told)](auto...) { told->on_closed(); })));
        } else if (!is_ending_) {
            boost::asio::post(executor_, [told = std::move(told)] { told->on_closed(); });
            close();
        }
        is_ending_ = true; // only now: what throws for want of memory may be tried again
    }

    end_reason why_ended() const override
    {
        if constexpr (ending_stream<Stream>)
            return stream_.why_ended();
        else
            return {};
    }

    bool explains_end() const noexcept override { return ending_stream<Stream>; }

private:
    // A descriptor may be a file, or shared with others: it is read as soon as may be.
    static constexpr bool waits_to_read = waiting_stream<Stream> && socket_stream<Stream>;

    void close()
    {
        if constexpr (requires(error_code& failed) { stream_.close(failed); }) {
            error_code ignored;
            stream_.close(ignored);
        } else if constexpr (requires { stream_.close(); }) {
            stream_.close();
        } else {
            error_code ignored;
            stream_.lowest_layer().close(ignored);
        }
    }

    void write_when_ready(boost::asio::const_buffer source, std::shared_ptr<user> told)
    {
        stream_.async_wait(Stream::wait_write,
                           on_executor([this, source, told = std::move(told)](error_code failed) mutable {
                               const std::size_t count = failed ? 0 : try_write(source, failed);
                               if (failed == boost::asio::error::would_block)
                                   write_when_ready(source, std::move(told));
                               else
                                   told->on_written(failed, count);
                           }));
    }

    void watch(std::shared_ptr<user> told)
    {
        stream_.lowest_layer().async_wait(
            Stream::lowest_layer_type::wait_error,
            boost::asio::bind_cancellation_slot(watch_.slot(),
                                                on_executor([this, told = std::move(told)](error_code failed) mutable {
                                                    if (!failed)
                                                        on_event(std::move(told));
                                                })));
    }

    // Urgent data counts as an event, too: it is dropped, and the next one is waited for.
    void on_event(std::shared_ptr<user> told)
    {
        const auto descriptor = stream_.lowest_layer().native_handle();
        const bool has_gone = has_hung_up(descriptor);
        is_watching_ = !has_gone && drop_urgent(descriptor);
        if (is_watching_)
            watch(std::move(told));
        else if (has_gone)
            told->on_hang_up();
    }

    template <class Handler>
    auto on_executor(Handler handler)
    {
        return boost::asio::bind_executor(executor_, std::move(handler));
    }

    Stream stream_;
    boost::asio::any_io_executor executor_;
    bool is_non_blocking_ = false;
    bool is_ending_ = false;
    bool is_watching_ = false;
    boost::asio::cancellation_signal end_;
    boost::asio::cancellation_signal watch_;
};

} // namespace partyline::detail
