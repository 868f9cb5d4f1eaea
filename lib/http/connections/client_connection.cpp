#include "http/connections/client_connection.hpp"

#include "http/connections/client_failure.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cerrno>
#include <limits>
#include <utility>

#include <sys/socket.h>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// A server that sends faster than that is read must not keep the thread.
constexpr int most_pieces_in_a_row = 16;

} // namespace

client_connection::client_connection(socket_channel channel, response_limits most)
    : channel_(std::move(channel)), heads_(most), body_(std::numeric_limits<std::size_t>::max())
{
}

client_connection::~client_connection()
{
    close();
}

void client_connection::close() noexcept
{
    if (!channel_.is_open())
        return;
    error_code ignored;
    channel_.shutdown(socket_channel::shutdown_send, ignored);
    channel_.close(ignored);
}

void client_connection::begin(const client_request& request)
{
    unsent_ = text_of(request);
    sent_ = 0;
    write_failure_ = {};
    may_have_sent_ = false;
    come_.clear();
    rest_.clear();
    heads_.begin(kind_of(request));
    body_.start(body_kind::to_end, 0); // a request that is given up has no end
}

asio::awaitable<void> client_connection::send(client_request request, time_limit until)
{
    begin(request);
    progress sending = write();
    while (read_head() == progress::wait) {
        const readiness wanted = sending == progress::wait ? readiness::read_or_write : readiness::read;
        co_await wait_ready(channel_, wanted, until);
        sending = write();
    }
    body_.start(head().body, head().content_length);
    rest_ = come_.substr(heads_.size());
}

// When the server takes no more it may have answered all the same: what it has said is read first.
client_connection::progress client_connection::write()
{
    while (sent_ != unsent_.size() && !write_failure_) {
        may_have_sent_ = may_have_sent_ || channel_.layer(); // which may have sent a part of what it could not send
        const std::size_t count =
            channel_.write_some(asio::buffer(unsent_.data() + sent_, unsent_.size() - sent_), write_failure_);
        if (write_failure_ == asio::error::would_block) {
            write_failure_ = {};
            return progress::wait;
        }
        sent_ += count;
        may_have_sent_ = may_have_sent_ || count != 0;
    }
    return progress::done;
}

client_connection::progress client_connection::read_head()
{
    while (!take_head()) {
        const bool is_waiting = !has_ended_ && receive(come_) == progress::wait;
        if (write_failure_ && (is_waiting || has_ended_))
            throw boost::system::system_error(write_failure_); // and it has said nothing before
        if (is_waiting)
            return progress::wait;
        if (has_ended_)
            fail(errc::peer_closed, come_.empty() ? "the server has closed the connection before it answered"
                                                  : "the server has closed the connection within its answer's head");
    }
    return progress::done;
}

// True when that of the response itself is there.
bool client_connection::take_head()
{
    response_reader::state now = heads_.read(come_);
    while (now == response_reader::state::done && head().is_interim()) {
        come_.erase(0, heads_.size());
        heads_.skip_interim();
        now = heads_.read(come_);
    }
    if (now == response_reader::state::refused)
        fail(errc::bad_reply, std::string("what the server says is no response: ") + heads_.why());
    return now == response_reader::state::done;
}

asio::awaitable<std::string> client_connection::read_some(time_limit until)
{
    std::string piece;
    if (++pieces_in_a_row_ >= most_pieces_in_a_row) {
        pieces_in_a_row_ = 0;
        co_await asio::post(channel_.get_executor(), asio::use_awaitable); // timers, signals and others have their turn
    }
    while (read_body(piece) == progress::wait) {
        pieces_in_a_row_ = 0;
        co_await wait_ready(channel_, readiness::read, until);
    }
    co_return piece;
}

client_connection::progress client_connection::read_body(std::string& piece)
{
    while (piece.empty() && body_.current() == body_reader::state::more) {
        if (rest_.empty() && !has_ended_ && receive(rest_) == progress::wait)
            return progress::wait;
        std::size_t used = 0;
        body_.read(rest_, used, piece);
        rest_.erase(0, used);
        if (has_ended_ && rest_.empty() && body_.finish() == body_reader::state::more)
            fail(errc::peer_closed, "the server has closed the connection within its answer's body");
    }
    if (body_.current() == body_reader::state::refused)
        fail(errc::bad_reply, std::string("the body of the response can not be read: ") + body_.why().reason);
    return progress::done;
}

// Appends what has come, or notes that the server is at its end.
client_connection::progress client_connection::receive(std::string& to)
{
    if (!channel_.is_open())
        throw boost::system::system_error(asio::error::operation_aborted);
    char room[16384];
    error_code failed;
    const std::size_t count = channel_.read_some(asio::buffer(room), failed);
    if (failed == asio::error::would_block)
        return progress::wait;
    has_ended_ = failed == asio::error::eof;
    if (failed && !has_ended_)
        throw boost::system::system_error(failed);
    to.append(room, count);
    return progress::done;
}

bool client_connection::may_be_used_again()
{
    return channel_.is_open() && !has_ended_ && sent_ == unsent_.size() && !write_failure_ && head().keeps_alive &&
           head().status != 101 && body_.current() == body_reader::state::done && rest_.empty() && is_silent();
}

// A byte that nobody has asked for would be taken for the next response. What encrypts may have something to read of
// its own.
bool client_connection::is_silent()
{
    char byte = 0;
    error_code failed;
    if (channel_.layer()) {
        channel_.read_some(asio::buffer(&byte, 1), failed);
        return failed == asio::error::would_block;
    }
    const ssize_t count = ::recv(channel_.lowest_layer().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

} // namespace partyline::http
