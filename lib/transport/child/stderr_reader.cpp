#include "transport/child/stderr_reader.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline {

stderr_reader::stderr_reader(asio::any_io_executor strand, owned_descriptor from, std::shared_ptr<child_report> report,
                             line_hook on_line)
    : strand_(std::move(strand)), from_(strand_), report_(std::move(report)), on_line_(std::move(on_line))
{
    from_.assign(from.get());
    from.release();
    from_.non_blocking(true);
}

void stderr_reader::start()
{
    read();
}

void stderr_reader::read()
{
    const std::lock_guard lock(mutex_);
    if (!from_.is_open())
        return;
    is_reading_ = true;
    auto handler = [self = shared_from_this()](error_code failed, std::size_t count) {
        self->is_reading_ = false;
        self->on_read(count);
        failed || self->done_ ? self->end() : self->read();
    };
    from_.async_read_some(asio::buffer(room_), asio::bind_executor(strand_, std::move(handler)));
}

void stderr_reader::on_read(std::size_t count)
{
    tell(lines_.feed({room_.data(), count}));
}

void stderr_reader::finish(std::function<void()> done)
{
    done_ = std::move(done);
    if (!is_reading_)
        return end();
    const std::lock_guard lock(mutex_);
    error_code ignored;
    from_.cancel(ignored);
}

void stderr_reader::end()
{
    if (done_)
        drain();
    tell(lines_.finish());
    close();
    if (done_)
        std::exchange(done_, nullptr)();
}

void stderr_reader::drain()
{
    constexpr int enough = 64; // more than any pipe holds
    for (int i = 0; i < enough; ++i) {
        error_code failed;
        std::size_t count = 0;
        {
            const std::lock_guard lock(mutex_);
            count = from_.read_some(asio::buffer(room_), failed); // fails when it is closed
        }
        if (failed)
            return;
        on_read(count);
    }
}

void stderr_reader::tell(const std::vector<std::string>& lines)
{
    for (const std::string& line : lines) {
        report_->add_stderr_line(line);
        if (on_line_)
            on_line_(line);
    }
}

void stderr_reader::close()
{
    const std::lock_guard lock(mutex_);
    error_code ignored;
    from_.close(ignored);
}

} // namespace partyline
