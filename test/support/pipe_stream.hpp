#pragma once

#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect_pipe.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <boost/asio/writable_pipe.hpp>

#include <cstddef>
#include <utility>

namespace partyline::test {

/// Two descriptors, one to read from and one to write to, as a stream: what a process has as standard input and output.
/// Thread safety: as any Asio stream.
class pipe_stream {
    using descriptor = boost::asio::posix::stream_descriptor;

public:
    using executor_type = boost::asio::any_io_executor;
    static constexpr auto wait_write = descriptor::wait_write;

    /// Takes the descriptors over.
    pipe_stream(const executor_type& executor, int input, int output)
        : input_(executor, input), output_(executor, output)
    {
    }

    /// Two ends that are each other's peer, over two pipes.
    static std::pair<pipe_stream, pipe_stream> make_pair(const executor_type& executor)
    {
        boost::asio::readable_pipe from_first(executor), from_second(executor);
        boost::asio::writable_pipe to_first(executor), to_second(executor);
        boost::asio::connect_pipe(from_first, to_second);
        boost::asio::connect_pipe(from_second, to_first);
        return {pipe_stream(executor, from_second.release(), to_second.release()),
                pipe_stream(executor, from_first.release(), to_first.release())};
    }

    executor_type get_executor() { return input_.get_executor(); }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token)
    {
        return input_.async_read_some(buffers, std::forward<Token>(token));
    }
    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token)
    {
        return output_.async_write_some(buffers, std::forward<Token>(token));
    }
    template <class Token>
    auto async_wait(descriptor::wait_type, Token&& token)
    {
        return output_.async_wait(wait_write, std::forward<Token>(token));
    }
    void non_blocking(bool mode, error_code& failed) { output_.non_blocking(mode, failed); }
    std::size_t write_some(boost::asio::const_buffer source, error_code& failed)
    {
        return output_.write_some(source, failed);
    }

    void close_send()
    {
        error_code ignored;
        output_.close(ignored);
    }
    void close(error_code& failed)
    {
        close_send();
        input_.close(failed);
    }

private:
    descriptor input_;
    descriptor output_;
};

} // namespace partyline::test
