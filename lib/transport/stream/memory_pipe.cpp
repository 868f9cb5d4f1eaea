#include "transport/stream/memory_pipe.hpp"

#include <boost/asio/error.hpp>

#include <algorithm>
#include <cstring>

namespace asio = boost::asio;

namespace partyline {

memory_pipe::memory_pipe(const asio::any_io_executor& reader, const asio::any_io_executor& writer, std::size_t capacity)
    : capacity_(capacity), readable_(reader), writable_(writer)
{
    update();
}

void memory_pipe::update() noexcept
{
    const bool is_over = is_reader_gone_ || is_writer_gone_;
    is_over || !bytes_.empty() ? readable_.set() : readable_.reset();
    is_over || bytes_.size() < capacity_ ? writable_.set() : writable_.reset();
}

std::size_t memory_pipe::take(asio::mutable_buffer target, error_code& failed)
{
    const std::lock_guard lock(mutex_);
    if (is_reader_gone_) {
        failed = asio::error::operation_aborted;
        return 0;
    }
    if (bytes_.empty() && target.size() != 0) {
        failed = is_writer_gone_ ? error_code(asio::error::eof) : error_code(asio::error::would_block);
        return 0;
    }
    const std::size_t count = std::min(target.size(), bytes_.size());
    if (count != 0)
        std::memcpy(target.data(), bytes_.data(), count);
    bytes_.erase_front(count);
    update();
    return count;
}

std::size_t memory_pipe::put(asio::const_buffer source, error_code& failed)
{
    const std::lock_guard lock(mutex_);
    if (is_writer_gone_ || is_reader_gone_) {
        failed = is_writer_gone_ ? error_code(asio::error::operation_aborted) : error_code(asio::error::broken_pipe);
        return 0;
    }
    const std::size_t count = std::min(source.size(), capacity_ - bytes_.size());
    if (count == 0 && source.size() != 0) {
        failed = asio::error::would_block;
        return 0;
    }
    bytes_.append({static_cast<const char*>(source.data()), count});
    update();
    return count;
}

void memory_pipe::close_reader()
{
    const std::lock_guard lock(mutex_);
    is_reader_gone_ = true;
    bytes_.clear(0);
    update();
}

void memory_pipe::close_writer()
{
    const std::lock_guard lock(mutex_);
    is_writer_gone_ = true;
    update();
}

} // namespace partyline
