#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/transport/detail/first_buffer.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/deferred.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace partyline {

class memory_pipe;

/// One end of a duplex stream in memory: a session and its peer talk over a pair of them without process or descriptor,
/// in tests, demonstrations and programs that embed a server of their own. An Asio stream like any other.
///
/// Movable. Destroying an end closes it: the other one reads the bytes that were sent, then `eof`; its writes fail with
/// `broken_pipe`.
/// Thread safety: the two ends may be used from different threads; one end as any Asio stream, from one at a time.
///
///     auto [ours, theirs] = partyline::memory_stream::make_pair(executor);
///     partyline::session server(std::move(ours), std::move(methods));
///     partyline::session client(std::move(theirs));
class PARTYLINE_EXPORT memory_stream {
public:
    /// The type of the executor, as Asio requires it of a stream.
    using executor_type = boost::asio::any_io_executor;

    /// Two ends that are each other's peer. Each direction holds up to `capacity` bytes; then writing waits.
    static std::pair<memory_stream, memory_stream> make_pair(executor_type first, executor_type second,
                                                             std::size_t capacity = std::size_t(64) << 10);
    /// Makes a pair with one executor, and room for 64 KiB.
    static std::pair<memory_stream, memory_stream> make_pair(const executor_type& both)
    {
        return make_pair(both, both);
    }

    memory_stream(memory_stream&&) noexcept = default;
    memory_stream& operator=(memory_stream&& other) noexcept;
    ~memory_stream();

    /// The executor on which operations complete, unless their handlers have another one.
    executor_type get_executor() const noexcept { return executor_; }

    /// Reads the bytes that are there, at least one.
    ///
    /// Completes with   void(error_code, std::size_t)
    /// Fails with       eof: the other end was closed, or closed for sending; operation_aborted
    /// Cancellation     terminal, partial, total: nothing has been read
    /// Lifetime         the buffers stay valid until completion; of several only the first that is not empty is used
    template <class Buffers,
              boost::asio::completion_token_for<void(error_code, std::size_t)> Token = boost::asio::deferred_t>
    auto async_read_some(const Buffers& buffers, Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
            [](auto handler, std::shared_ptr<memory_pipe> from, boost::asio::any_io_executor executor,
               boost::asio::mutable_buffer target) {
                start_read(std::move(from), std::move(executor), target, std::move(handler));
            },
            token, in_, executor_, detail::first_buffer<boost::asio::mutable_buffer>(buffers));
    }

    /// Writes the bytes that there is room for, at least one.
    ///
    /// Completes with   void(error_code, std::size_t)
    /// Fails with       broken_pipe: the other end was closed; operation_aborted
    /// Cancellation     terminal, partial, total: nothing has been written
    /// Lifetime         the buffers stay valid until completion; of several only the first that is not empty is used
    template <class Buffers,
              boost::asio::completion_token_for<void(error_code, std::size_t)> Token = boost::asio::deferred_t>
    auto async_write_some(const Buffers& buffers, Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
            [](auto handler, std::shared_ptr<memory_pipe> to, boost::asio::any_io_executor executor,
               boost::asio::const_buffer source) {
                start_write(std::move(to), std::move(executor), source, std::move(handler));
            },
            token, out_, executor_, detail::first_buffer<boost::asio::const_buffer>(buffers));
    }

    /// Ends sending: the other end reads the rest, then `eof`. Reading goes on.
    void close_send();

    /// Closes both directions. Operations under way end with `operation_aborted`.
    void close();

private:
    using transfer_handler = boost::asio::any_completion_handler<void(error_code, std::size_t)>;

    static void start_read(std::shared_ptr<memory_pipe> from, executor_type executor,
                           boost::asio::mutable_buffer target, transfer_handler done);
    static void start_write(std::shared_ptr<memory_pipe> to, executor_type executor, boost::asio::const_buffer source,
                            transfer_handler done);

    memory_stream(executor_type executor, std::shared_ptr<memory_pipe> in, std::shared_ptr<memory_pipe> out) noexcept;

    executor_type executor_;
    std::shared_ptr<memory_pipe> in_;
    std::shared_ptr<memory_pipe> out_;
};

} // namespace partyline
