#pragma once

#include "session/owned_descriptor.hpp"

#include <partyline/transport/detail/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace partyline {

/// One direction of a socket whose description is shared with other processes, such as whoever has started us: its
/// O_NONBLOCK is theirs too, and is never touched. Asio sets it on whatever it waits for, also by `async_wait`; so Asio
/// waits for an epoll instance that waits for the socket, and each call is told by MSG_DONTWAIT not to wait. (Where
/// there is no epoll, Asio waits for the socket, and the flag is set.)
/// Thread safety: none.
class shared_socket {
public:
    enum class event : std::uint8_t { readable, writable, hang_up };

    /// Takes the descriptor over. Throws `system_error`.
    shared_socket(boost::asio::any_io_executor executor, int descriptor, event awaited);

    int native_handle() const noexcept { return socket_.get(); }

    /// Waits for its event, or for an error of the socket: void(error_code).
    template <class Handler>
    void async_wait(Handler handler)
    {
        ready_.async_wait(boost::asio::posix::descriptor_base::wait_read, std::move(handler));
    }

    /// Reads at least one byte, then calls `done(error_code, std::size_t)`.
    template <class Handler>
    void async_read(boost::asio::mutable_buffer target, Handler done)
    {
        async_wait([this, target, done = std::move(done)](error_code failed) mutable {
            const std::size_t count = failed ? 0 : try_read(target, failed);
            if (failed == boost::asio::error::would_block)
                async_read(target, std::move(done)); // whoever shares it was faster
            else
                done(failed, count);
        });
    }

    // As those of `byte_stream`.
    std::size_t try_write(boost::asio::const_buffer source, error_code& failed);
    void start_write(boost::asio::const_buffer source, std::shared_ptr<detail::byte_stream::user> told);

    /// Ends what waits, with `operation_aborted`.
    void close();

private:
    std::size_t try_read(boost::asio::mutable_buffer target, error_code& failed);

    owned_descriptor socket_;
    boost::asio::posix::stream_descriptor ready_; // readable when the event is there
};

} // namespace partyline
