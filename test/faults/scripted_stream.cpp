#include "scripted_stream.hpp"

#include "allocation_faults.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace asio = boost::asio;

namespace partyline::test {

scripted_stream::scripted_stream(asio::any_io_executor executor, std::shared_ptr<peer_side> peer)
    : executor_(std::move(executor)), peer_(std::move(peer))
{
}

bool scripted_stream::advance()
{
    const unharmed own;
    if (writer_ && (!peer_->reads_late || peer_->input.empty())) {
        if (peer_->take_step()) {
            asio::post(executor_,
                       [told = std::exchange(writer_, nullptr)] { told->on_written(asio::error::broken_pipe, 0); });
            return true;
        }
        const std::size_t count = std::min<std::size_t>(source_.size(), 100'000);
        peer_->output.append(static_cast<const char*>(source_.data()), count);
        asio::post(executor_, [told = std::exchange(writer_, nullptr), count] { told->on_written({}, count); });
        return true;
    }
    if (!reader_ || is_over_)
        return false;
    if (peer_->take_step()) {
        is_over_ = true;
        finish_read(asio::error::connection_reset, 0);
        return true;
    }
    if (peer_->input.empty()) {
        is_over_ = true;
        finish_read(asio::error::eof, 0);
        return true;
    }
    std::string& next = peer_->input.front();
    const std::size_t count = std::min(next.size(), target_.size());
    std::memcpy(target_.data(), next.data(), count);
    next.erase(0, count);
    if (next.empty())
        peer_->input.pop_front();
    finish_read({}, count);
    return true;
}

void scripted_stream::finish_read(error_code failed, std::size_t count)
{
    asio::post(executor_, [told = std::exchange(reader_, nullptr), failed, count] { told->on_read(failed, count); });
}

void scripted_stream::start_read(asio::mutable_buffer target, std::shared_ptr<user> told)
{
    target_ = target;
    reader_ = std::move(told);
}

std::size_t scripted_stream::try_write(asio::const_buffer source, error_code& failed)
{
    const unharmed own;
    if (peer_->reads_late) {
        failed = asio::error::would_block;
        return 0;
    }
    if (peer_->take_step()) {
        failed = asio::error::broken_pipe;
        return 0;
    }
    peer_->output.append(static_cast<const char*>(source.data()), source.size());
    return source.size();
}

void scripted_stream::start_write(asio::const_buffer source, std::shared_ptr<user> told)
{
    source_ = source;
    writer_ = std::move(told);
}

void scripted_stream::start_close(std::shared_ptr<user> told)
{
    const unharmed own;
    reader_ = nullptr;
    writer_ = nullptr;
    is_over_ = true;
    asio::post(executor_, [told = std::move(told)] { told->on_closed(); });
}

} // namespace partyline::test
