#pragma once

#include <partyline/transport/detail/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace partyline::test {

/// What the peer says and how it reads, and what it has heard.
struct peer_side {
    std::deque<std::string> input; // each piece is read by itself, when nothing else is left to do
    bool reads_late = false;       // takes nothing before it has said everything
    std::size_t breaks_at = 0;     // the connection: at this read or write, counted from 1, and at all that follow
    std::string output;

    bool is_broken() const { return breaks_at != 0 && steps >= breaks_at; }
    /// One of these is made: whether it fails.
    bool take_step() { return ++steps, is_broken(); }
    std::size_t steps = 0;
};

/// A session's stream whose peer is a script. What it allocates itself never fails.
class scripted_stream final : public detail::byte_stream {
public:
    scripted_stream(boost::asio::any_io_executor executor, std::shared_ptr<peer_side> peer);

    /// Lets the next thing happen that the peer does; false when there is none.
    bool advance();

    void start_read(boost::asio::mutable_buffer target, std::shared_ptr<user> told) override;
    std::size_t try_write(boost::asio::const_buffer source, error_code& failed) override;
    bool can_try_write() const noexcept override { return true; }
    void start_write(boost::asio::const_buffer source, std::shared_ptr<user> told) override;
    bool is_socket() const noexcept override { return false; }
    bool close_send() override { return false; }
    void start_close(std::shared_ptr<user> told) override;

private:
    void finish_read(error_code failed, std::size_t count);

    boost::asio::any_io_executor executor_;
    std::shared_ptr<peer_side> peer_;
    boost::asio::mutable_buffer target_;
    boost::asio::const_buffer source_;
    std::shared_ptr<user> reader_;
    std::shared_ptr<user> writer_;
    bool is_over_ = false; // its end has been read
};

} // namespace partyline::test
