#include "request_source.hpp"

#include "request_line.hpp"

#include <utility>

namespace asio = boost::asio;

namespace call {

request_source::request_source(asio::any_io_executor executor, const std::string& file, std::size_t max_line_bytes,
                               reporter& told)
    : max_line_bytes_(max_line_bytes), told_(&told)
{
    lines_.emplace(std::move(executor), file, max_line_bytes);
}

asio::awaitable<std::optional<request>> request_source::next()
{
    if (lines_)
        co_return co_await next_line();
    if (times_ == 0)
        co_return std::nullopt;
    --times_;
    co_return only_;
}

asio::awaitable<std::vector<request>> request_source::rest()
{
    std::vector<request> all;
    while (std::optional<request> each = co_await next())
        all.push_back(std::move(*each));
    co_return all;
}

void request_source::stop()
{
    times_ = 0;
    if (lines_)
        lines_->stop();
}

asio::awaitable<std::optional<request>> request_source::next_line()
{
    while (const std::optional<input_line> line = co_await lines_->next()) {
        try {
            if (line->is_oversize)
                throw bad_line(line->number, "longer than " + std::to_string(max_line_bytes_) + " bytes");
            co_return read_request_line(line->text, line->number);
        } catch (const bad_line& e) {
            told_->complain(e.what(), exit_status::wrong_usage);
        }
    }
    co_return std::nullopt;
}

} // namespace call
