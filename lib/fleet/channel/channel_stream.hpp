#pragma once

#include "fleet/channel/channel.hpp"

#include <memory>
#include <utility>

namespace partyline::fleet {

/// The bytes of a session on the bus, for a driver.
class channel_stream final : public partyline::detail::byte_stream {
public:
    explicit channel_stream(std::shared_ptr<channel> of) noexcept : channel_(std::move(of)) {}
    /// One that was closed may be destroyed in any thread: its channel goes on without it.
    ~channel_stream() override
    {
        if (!is_closed_)
            channel_->drop();
    }

    void start_read(boost::asio::mutable_buffer target, std::shared_ptr<user> told) override
    {
        channel_->start_read(target, told);
    }
    bool can_wait() const noexcept override { return true; }
    void start_wait(std::shared_ptr<user> told) override { channel_->start_wait(told); }
    std::size_t try_read(boost::asio::mutable_buffer target, error_code& failed) override
    {
        return channel_->try_read(target, failed);
    }
    std::size_t try_write(boost::asio::const_buffer source, error_code& failed) override
    {
        return channel_->try_write(source, failed);
    }
    bool can_try_write() const noexcept override { return true; }
    void start_write(boost::asio::const_buffer source, std::shared_ptr<user> told) override
    {
        channel_->start_write(source, told);
    }
    void start_watch(std::shared_ptr<user> told) override { channel_->start_watch(told); }
    bool has_ended_input() override { return channel_->has_ended_input(); }
    std::size_t unread() override { return channel_->unread(); }
    bool is_socket() const noexcept override { return true; }
    bool close_send() override { return channel_->close_send(); }
    void start_close(std::shared_ptr<user> told) override
    {
        channel_->close(std::move(told));
        is_closed_ = true;
    }
    bool explains_end() const noexcept override { return channel_->is_lost(); }
    partyline::detail::end_reason why_ended() const override { return channel_->why_lost(); }

private:
    const std::shared_ptr<channel> channel_;
    bool is_closed_ = false;
};

} // namespace partyline::fleet
