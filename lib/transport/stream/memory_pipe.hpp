#pragma once

#include <partyline/async/async_event.hpp>
#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <mutex>
#include <utility>

namespace partyline {

/// One direction of a memory pair: bytes on their way, and who waits for them or for room.
/// Thread safety: safe, since the two ends may live on different threads.
class memory_pipe {
public:
    memory_pipe(const boost::asio::any_io_executor& reader, const boost::asio::any_io_executor& writer,
                std::size_t capacity);

    /// Takes what is there. `would_block` when that is nothing, `eof` when nothing will come.
    std::size_t take(boost::asio::mutable_buffer target, error_code& failed);
    /// Puts what there is room for. `would_block` without room, `broken_pipe` when nobody will read it.
    std::size_t put(boost::asio::const_buffer source, error_code& failed);

    /// Calls `handler(error_code)` when it is worth trying again, also after a cancel; never from within.
    template <class Handler>
    void wait_readable(Handler&& handler)
    {
        const std::lock_guard lock(mutex_);
        readable_.async_wait(std::forward<Handler>(handler));
    }
    template <class Handler>
    void wait_writable(Handler&& handler)
    {
        const std::lock_guard lock(mutex_);
        writable_.async_wait(std::forward<Handler>(handler));
    }

    boost::asio::any_io_executor reader_executor() { return readable_.get_executor(); }

    void close_reader();
    void close_writer();

private:
    void update() noexcept;

    std::mutex mutex_;
    byte_buffer bytes_;
    std::size_t capacity_;
    bool is_reader_gone_ = false;
    bool is_writer_gone_ = false;
    async_event readable_; // while there are bytes, or one end is gone
    async_event writable_; // while there is room, or one end is gone
};

} // namespace partyline
