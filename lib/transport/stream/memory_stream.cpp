#include <partyline/transport/memory_stream.hpp>

#include "transport/stream/memory_pipe.hpp"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

namespace asio = boost::asio;

namespace partyline {

namespace {

enum class progress { start, try_now };

// Woken without anything to do: that was a cancel.
template <class Self>
void finish(Self& self, error_code failed, std::size_t count)
{
    if (failed == asio::error::would_block)
        failed = asio::error::operation_aborted;
    self.complete(failed, count);
}

struct read_operation {
    std::shared_ptr<memory_pipe> from;
    asio::mutable_buffer target;
    progress at = progress::start;

    template <class Self>
    void operator()(Self& self, error_code = {})
    {
        if (std::exchange(at, progress::try_now) == progress::start) {
            memory_pipe& pipe = *from; // moved with self
            if (target.size() == 0)
                return asio::post(pipe.reader_executor(), std::move(self));
            self.reset_cancellation_state(asio::enable_total_cancellation());
            return pipe.wait_readable(std::move(self));
        }
        error_code failed;
        const std::size_t count = from->take(target, failed);
        finish(self, failed, count);
    }
};

struct write_operation {
    std::shared_ptr<memory_pipe> to;
    asio::const_buffer source;
    progress at = progress::start;

    template <class Self>
    void operator()(Self& self, error_code = {})
    {
        if (std::exchange(at, progress::try_now) == progress::start) {
            self.reset_cancellation_state(asio::enable_total_cancellation());
            memory_pipe& pipe = *to;
            return pipe.wait_writable(std::move(self));
        }
        error_code failed;
        const std::size_t count = to->put(source, failed);
        finish(self, failed, count);
    }
};

} // namespace

void memory_stream::start_read(std::shared_ptr<memory_pipe> from, executor_type executor, asio::mutable_buffer target,
                               transfer_handler done)
{
    asio::async_compose<transfer_handler, void(error_code, std::size_t)>(read_operation{std::move(from), target}, done,
                                                                         executor);
}

void memory_stream::start_write(std::shared_ptr<memory_pipe> to, executor_type executor, asio::const_buffer source,
                                transfer_handler done)
{
    asio::async_compose<transfer_handler, void(error_code, std::size_t)>(write_operation{std::move(to), source}, done,
                                                                         executor);
}

memory_stream::memory_stream(executor_type executor, std::shared_ptr<memory_pipe> in,
                             std::shared_ptr<memory_pipe> out) noexcept
    : executor_(std::move(executor)), in_(std::move(in)), out_(std::move(out))
{
}

std::pair<memory_stream, memory_stream> memory_stream::make_pair(executor_type first, executor_type second,
                                                                 std::size_t capacity)
{
    auto there = std::make_shared<memory_pipe>(second, first, capacity);
    auto back = std::make_shared<memory_pipe>(first, second, capacity);
    return {memory_stream(first, back, there), memory_stream(second, there, back)};
}

memory_stream& memory_stream::operator=(memory_stream&& other) noexcept
{
    close();
    executor_ = std::move(other.executor_);
    in_ = std::move(other.in_);
    out_ = std::move(other.out_);
    return *this;
}

memory_stream::~memory_stream()
{
    close();
}

void memory_stream::close_send()
{
    out_->close_writer();
}

void memory_stream::close()
{
    if (!in_)
        return; // moved from
    in_->close_reader();
    out_->close_writer();
}

} // namespace partyline
