#include "client_connection.hpp"

#include <algorithm>
#include <stdexcept>

#include <sys/epoll.h>
#include <sys/socket.h>

namespace partyline::test {

using leaving = client_plan::leaving;

namespace {

// Of what is asked in a row: one that takes more time for a long body is refused by the server's clock, as it should
// be.
constexpr std::size_t most_pieces = 300;

} // namespace

client_connection::client_connection(std::uint16_t port, post_mix& mix, const client_plan& how, client_counts& counts)
    : wire_(port, wire_client::speech::http), mix_(mix), how_(how), counts_(counts), posts_left_(how.posts)
{
    ++counts_.connections;
    ask();
}

bool client_connection::go_on(unsigned events)
{
    if ((events & ~unsigned(EPOLLOUT)) != 0 && !read())
        return note_end();
    if (has_half_closed_)
        return true;
    if ((events & EPOLLOUT) != 0)
        send_piece();
    if (has_reached_its_end())
        return leave();
    if (due_.empty() && !wants_to_send() && posts_left_ != 0)
        ask();
    return !is_all_answered() || how_.end == post_mix::connection::closes;
}

// The next POSTs in a row.
void client_connection::ask()
{
    bytes_ += text_.size();
    text_.clear();
    sent_ = 0;
    asked_ = clock::now();
    ++rows_;
    for (std::size_t i = 0; i != how_.pipelined && posts_left_ != 0; ++i) {
        --posts_left_;
        ++counts_.posts;
        const bool is_last = posts_left_ == 0;
        due_.emplace_back(is_last && how_.is_endless
                              ? mix_.add_endless(text_)
                              : mix_.add_next(text_, is_last ? how_.end : post_mix::connection::stays));
    }
}

void client_connection::send_piece()
{
    if (wire_.has_unsent())
        return wire_.send_more();
    const std::size_t piece_size = std::max(how_.piece, text_.size() / most_pieces);
    const std::size_t most = std::min(piece_size, how_.leaves_after_bytes - bytes_ - sent_);
    const std::string_view piece = std::string_view(text_).substr(sent_, most);
    sent_ += piece.size();
    wire_.send(piece);
}

// False: the server has closed the connection.
bool client_connection::read()
{
    ++reads_;
    if (!wire_.read_some(inbox_))
        return false;
    check_messages();
    return true;
}

void client_connection::check_messages()
{
    for (std::size_t i = 0; i != inbox_.size(); ++i)
        take(inbox_[i]);
    inbox_.clear();
    const std::size_t responses = wire_.replies().responses();
    while (!due_.empty() && due_.front().is_silent() && taken_ < responses)
        forget_first();
    // An event stream may not have ended yet whose last message has come.
    if (taken_ != responses && taken_ != responses + 1)
        throw std::runtime_error("a response is not the answer to any POST");
}

void client_connection::take(std::string_view message)
{
    while (!due_.empty() && due_.front().is_silent())
        forget_first(); // its response is held against the others in the end
    if (due_.empty())
        throw std::runtime_error("nobody waits for this: " + std::string(message.substr(0, 300)));
    if (due_.front().take(message))
        forget_first();
}

void client_connection::forget_first()
{
    ++taken_;
    ++counts_.answered;
    counts_.results += due_.front().is_silent() || due_.front().failed() != 0 ? 0 : 1;
    counts_.failed += due_.front().failed();
    counts_.told += due_.front().told();
    counts_.longest_wait = std::max(counts_.longest_wait, clock::now() - asked_);
    due_.pop_front();
}

bool client_connection::has_reached_its_end() const noexcept
{
    return how_.leaves != leaving::not_early && !wire_.has_unsent() &&
           (bytes_ + sent_ >= how_.leaves_after_bytes || reads_ >= how_.leaves_after_reads ||
            (rows_ >= how_.leaves_after_rows && !wants_to_send()));
}

bool client_connection::is_all_answered() const noexcept
{
    return posts_left_ == 0 && due_.empty() && !wants_to_send() && wire_.replies().responses() == taken_;
}

std::string client_connection::describe() const
{
    std::string text = std::to_string(due_.size()) + " answers are due";
    if (taken_ != wire_.replies().responses())
        text += ", a response has not ended whose last message has come";
    if (wants_to_send())
        text += ", not all is sent";
    if (has_half_closed_)
        text += ", the end of a half-closed connection";
    else if (is_all_answered())
        text += ", the end that was asked for";
    return text;
}

// True: what still comes is to be read.
bool client_connection::leave()
{
    ++counts_.left;
    if (how_.leaves == leaving::by_half_close) {
        ::shutdown(socket(), SHUT_WR);
        text_.clear();
        sent_ = 0;
        has_half_closed_ = true;
        return true;
    }
    if (how_.leaves == leaving::by_reset) {
        const linger at_once{1, 0};
        ::setsockopt(socket(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }
    counts_.abandoned += due_.size();
    return false;
}

// The server may close the connection where it was asked to, and where it is told that nothing more comes.
bool client_connection::note_end()
{
    if (has_half_closed_)
        counts_.abandoned += due_.size();
    else if (!is_all_answered() || how_.end != post_mix::connection::closes)
        throw std::runtime_error("the server has closed a connection on which " + std::to_string(due_.size()) +
                                 " POSTs had no answer, behind " + std::to_string(taken_) + " that had one; " +
                                 std::to_string(text_.size() - sent_) + " bytes were not sent yet");
    return false;
}

} // namespace partyline::test
