#include "line_input.hpp"

#include "input_file.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <cerrno>
#include <utility>

#include <unistd.h>

namespace asio = boost::asio;

namespace call {

line_input::line_input(asio::any_io_executor executor, const std::string& file, std::size_t max_line_bytes)
    : name_(file), file_(std::move(executor), open_input(file)), lines_(max_line_bytes)
{
}

asio::awaitable<std::optional<input_line>> line_input::next()
{
    for (;;) {
        std::optional<input_line> line;
        if (!is_stopped_)
            line = lines_.next();
        if (line || is_stopped_ || is_at_end_)
            co_return line;
        co_await read_some();
    }
}

void line_input::stop()
{
    is_stopped_ = true;
    file_.cancel();
}

// Waits until there is something, and then reads without waiting: so the file needs no O_NONBLOCK.
asio::awaitable<void> line_input::read_some()
{
    boost::system::error_code woken;
    co_await file_.async_wait(asio::posix::stream_descriptor::wait_read,
                              asio::redirect_error(asio::use_awaitable, woken));
    if (is_stopped_)
        co_return;
    // operation_not_supported: one that can't be waited for, such as a regular file. Reading it takes no long time.
    std::array<char, std::size_t(64) << 10> chunk;
    const ssize_t count = ::read(file_.native_handle(), chunk.data(), chunk.size());
    if (count < 0 && errno != EINTR && errno != EAGAIN)
        refuse_input(name_);
    if (count > 0)
        lines_.feed({chunk.data(), static_cast<std::size_t>(count)});
    if (count == 0) {
        lines_.finish();
        is_at_end_ = true;
    }
}

} // namespace call
