#pragma once

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/transport/detail/first_buffer.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <memory>
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

/// One end of a duplex stream in memory: a session and its peer talk over a pair of them without process or descriptor,
/// in tests, demonstrations and programs that embed a server of their own. An Asio stream like any other.
///
/// Movable. Destroying an end closes it: the other one reads what was sent, then `eof`; its writes fail with
/// `broken_pipe`.
/// Thread safety: the two ends may be used from different threads; one end as any Asio stream, from one at a time.
class memory_stream {
public:
    using executor_type = boost::asio::any_io_executor;

    /// Two ends that are each other's peer. Each direction holds up to `capacity` bytes; then writing waits.
    static std::pair<memory_stream, memory_stream> make_pair(executor_type first, executor_type second,
                                                             std::size_t capacity = std::size_t(64) << 10);
    static std::pair<memory_stream, memory_stream> make_pair(const executor_type& both)
    {
        return make_pair(both, both);
    }

    memory_stream(memory_stream&&) noexcept = default;
    memory_stream& operator=(memory_stream&& other) noexcept;
    ~memory_stream();

    executor_type get_executor() const noexcept { return executor_; }

    /// Reads what is there, at least one byte.
    ///
    /// Completes with   void(error_code, std::size_t)
    /// Fails with       eof: the other end was closed, or closed for sending; operation_aborted
    /// Cancellation     terminal, partial, total: nothing has been read
    /// Lifetime         the buffers stay valid until completion; of several only the first that is not empty is used
    template <class Buffers,
              boost::asio::completion_token_for<void(error_code, std::size_t)> Token = boost::asio::deferred_t>
    auto async_read_some(const Buffers& buffers, Token&& token = {})
    {
        return boost::asio::async_compose<Token, void(error_code, std::size_t)>(
            read_operation{in_, detail::first_buffer<boost::asio::mutable_buffer>(buffers)}, token, executor_);
    }

    /// Writes what there is room for, at least one byte.
    ///
    /// Completes with   void(error_code, std::size_t)
    /// Fails with       broken_pipe: the other end was closed; operation_aborted
    /// Cancellation     terminal, partial, total: nothing has been written
    /// Lifetime         the buffers stay valid until completion; of several only the first that is not empty is used
    template <class Buffers,
              boost::asio::completion_token_for<void(error_code, std::size_t)> Token = boost::asio::deferred_t>
    auto async_write_some(const Buffers& buffers, Token&& token = {})
    {
        return boost::asio::async_compose<Token, void(error_code, std::size_t)>(
            write_operation{out_, detail::first_buffer<boost::asio::const_buffer>(buffers)}, token, executor_);
    }

    /// Says that nothing more will be sent: the other end reads what is left, then `eof`. Reading goes on.
    void close_send();

    /// Closes both directions. Operations under way end with `operation_aborted`.
    void close();

private:
    enum class progress { start, try_now };

    struct read_operation {
        std::shared_ptr<memory_pipe> from;
        boost::asio::mutable_buffer target;
        progress at = progress::start;

        template <class Self>
        void operator()(Self& self, error_code = {})
        {
            if (std::exchange(at, progress::try_now) == progress::start) {
                if (target.size() == 0)
                    return boost::asio::post(std::move(self));
                self.reset_cancellation_state(boost::asio::enable_total_cancellation());
                memory_pipe& pipe = *from; // moved with self
                return pipe.wait_readable(std::move(self));
            }
            error_code failed;
            const std::size_t count = from->take(target, failed);
            finish(self, failed, count);
        }
    };

    struct write_operation {
        std::shared_ptr<memory_pipe> to;
        boost::asio::const_buffer source;
        progress at = progress::start;

        template <class Self>
        void operator()(Self& self, error_code = {})
        {
            if (std::exchange(at, progress::try_now) == progress::start) {
                self.reset_cancellation_state(boost::asio::enable_total_cancellation());
                memory_pipe& pipe = *to;
                return pipe.wait_writable(std::move(self));
            }
            error_code failed;
            const std::size_t count = to->put(source, failed);
            finish(self, failed, count);
        }
    };

    // Woken without anything to do: that was a cancel.
    template <class Self>
    static void finish(Self& self, error_code failed, std::size_t count)
    {
        if (failed == boost::asio::error::would_block)
            failed = boost::asio::error::operation_aborted;
        self.complete(failed, count);
    }

    memory_stream(executor_type executor, std::shared_ptr<memory_pipe> in, std::shared_ptr<memory_pipe> out) noexcept;

    executor_type executor_;
    std::shared_ptr<memory_pipe> in_;
    std::shared_ptr<memory_pipe> out_;
};

} // namespace partyline
