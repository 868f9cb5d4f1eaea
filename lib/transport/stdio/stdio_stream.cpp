#include <partyline/transport/stdio_stream.hpp>

#include "transport/stdio/stdio_byte_stream.hpp"
#include "transport/stdio/stdio_wire.hpp"

#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline {

stdio_stream::stdio_stream(executor_type executor, bool guard)
    : executor_(std::move(executor)), wire_(std::make_shared<stdio_wire>(guard))
{
}

// The other one has its executor still: a session that is given it looks there first.
stdio_stream::stdio_stream(stdio_stream&& other) noexcept
    : executor_(other.get_executor()), wire_(std::move(other.wire_))
{
}

stdio_stream& stdio_stream::operator=(stdio_stream&& other) noexcept
{
    executor_ = other.executor_;
    wire_ = std::move(other.wire_);
    return *this;
}

stdio_stream::~stdio_stream() = default;

bool stdio_stream::is_input_file() const noexcept
{
    return wire_ && wire_->input().is_regular_file();
}

namespace detail {
namespace {

std::shared_ptr<stdio_wire> not_moved(std::shared_ptr<stdio_wire> wire)
{
    if (!wire)
        throw std::logic_error("this stream was moved from");
    return wire;
}

} // namespace

stream_adapter<stdio_stream>::stream_adapter(stdio_stream stream, const asio::any_io_executor& executor)
    : wire_(not_moved(std::move(stream.wire_))),
      stream_(std::make_unique<stdio_byte_stream>(*wire_, executor, stdio_byte_stream::owner::other))
{
}

stream_adapter<stdio_stream>::~stream_adapter() = default;

void stream_adapter<stdio_stream>::start_read(asio::mutable_buffer target, std::shared_ptr<user> told)
{
    stream_->start_read(target, std::move(told));
}

std::size_t stream_adapter<stdio_stream>::try_write(asio::const_buffer source, error_code& failed)
{
    return stream_->try_write(source, failed);
}

bool stream_adapter<stdio_stream>::can_try_write() const noexcept
{
    return stream_->can_try_write();
}

void stream_adapter<stdio_stream>::start_write(asio::const_buffer source, std::shared_ptr<user> told)
{
    stream_->start_write(source, std::move(told));
}

bool stream_adapter<stdio_stream>::is_socket() const noexcept
{
    return stream_->is_socket();
}

bool stream_adapter<stdio_stream>::close_send()
{
    return stream_->close_send();
}

void stream_adapter<stdio_stream>::start_close(std::shared_ptr<user> told)
{
    struct restoring {
        stdio_wire& of;
        ~restoring() { of.restore(); }
    } const after{*wire_}; // also where closing throws
    stream_->start_close(std::move(told));
}

} // namespace detail
} // namespace partyline
