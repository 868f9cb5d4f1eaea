#include "fuzz/session_run.hpp"

#include "fuzz/fuzz_input.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

namespace asio = boost::asio;

namespace partyline::test {

session_run::session_run(std::shared_ptr<const dispatcher> methods, session_options options, std::size_t capacity)
    : methods_(std::move(methods)), users_(methods_.use_count()),
      ends_(memory_stream::make_pair(context_.get_executor(), context_.get_executor(), capacity))
{
    options.log = [](std::string_view) {};
    session_.emplace(std::move(ends_.second), methods_, std::move(options));
    session_->async_run([this](error_code failed) { result_ = failed; });
    read();
}

session_run::~session_run() = default;

void session_run::send(std::string_view bytes)
{
    unsent_.append(bytes);
    write();
}

void session_run::end_input()
{
    is_ending_ = true;
    write();
}

void session_run::resume_reading()
{
    is_paused_ = false;
    read();
}

void session_run::stop()
{
    if (session_)
        session_->stop();
}

void session_run::drop_connection()
{
    is_dropped_ = true;
    peer_.close();
}

void session_run::destroy_session()
{
    session_.reset();
}

void session_run::turn()
{
    context_.restart();
    context_.poll_one();
}

void session_run::settle()
{
    context_.restart();
    while (context_.poll() != 0) {
    }
}

void session_run::finish()
{
    resume_reading();
    end_input();
    settle();
    stop(); // handlers may wait for that
    settle();
    require(result_.has_value(), "the session has come to its end", said_);
    require(is_at_end_ || is_dropped_, "the session has closed its stream", said_);
    session_.reset();
    peer_.close();
    settle();
    require(context_.stopped(), "nothing is left that could happen");
    require(methods_.use_count() == users_, "nobody holds the methods any more");
}

void session_run::write()
{
    if (!sending_.empty() || is_dropped_)
        return;
    if (unsent_.empty()) {
        if (is_ending_)
            peer_.close_send();
        return;
    }
    sending_.swap(unsent_);
    asio::async_write(peer_, asio::buffer(sending_), [this](error_code failed, std::size_t) {
        sending_.clear();
        if (failed)
            unsent_.clear();
        write();
    });
}

void session_run::read()
{
    if (is_reading_ || is_paused_ || is_at_end_ || is_dropped_)
        return;
    is_reading_ = true;
    peer_.async_read_some(asio::buffer(chunk_), [this](error_code failed, std::size_t count) {
        is_reading_ = false;
        said_.append(chunk_.data(), count);
        is_at_end_ = failed.failed();
        read();
    });
}

} // namespace partyline::test
