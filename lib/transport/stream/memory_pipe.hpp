#pragma once

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <mutex>
#include <utility>

namespace partyline {

/// One direction of a memory pair: bytes on their way, and who waits for them or for room.
/// Thread safety: safe, since the two ends may live on different threads.
class memory_pipe {
public:
    memory_pipe(boost::asio::any_io_executor reader, boost::asio::any_io_executor writer, std::size_t capacity);

    /// Takes what is there. `would_block` when that is nothing, `eof` when nothing will come.
    std::size_t take(boost::asio::mutable_buffer target, error_code& failed);
    /// Puts what there is room for. `would_block` without room, `broken_pipe` when nobody will read it.
    std::size_t put(boost::asio::const_buffer source, error_code& failed);

    /// Calls `handler(error_code)` when it is worth trying again, also after a cancel; never from within.
    template <class Handler>
    void wait_readable(Handler&& handler)
    {
        wait(readable_, &memory_pipe::is_readable, std::forward<Handler>(handler));
    }
    template <class Handler>
    void wait_writable(Handler&& handler)
    {
        wait(writable_, &memory_pipe::is_writable, std::forward<Handler>(handler));
    }

    boost::asio::any_io_executor reader_executor() { return readable_.get_executor(); }

    void close_reader();
    void close_writer();

private:
    // Timers that never expire are cancelled to wake who waits. So a waiting operation belongs to its executor's
    // context, like any other of Asio's, and goes away with it.
    template <class Handler>
    void wait(boost::asio::steady_timer& timer, bool (memory_pipe::*is_ready)() const, Handler&& handler)
    {
        const std::lock_guard lock(mutex_);
        if ((this->*is_ready)())
            return boost::asio::post(timer.get_executor(), std::forward<Handler>(handler));
        timer.async_wait(std::forward<Handler>(handler));
    }

    bool is_readable() const { return !bytes_.empty() || is_writer_gone_ || is_reader_gone_; }
    bool is_writable() const { return bytes_.size() < capacity_ || is_writer_gone_ || is_reader_gone_; }

    std::mutex mutex_;
    byte_buffer bytes_;
    std::size_t capacity_;
    bool is_reader_gone_ = false;
    bool is_writer_gone_ = false;
    boost::asio::steady_timer readable_;
    boost::asio::steady_timer writable_;
};

} // namespace partyline
