#pragma once

#include "http/client/websocket_opening.hpp"
#include "http/connections/connector.hpp"

#include <partyline/transport/detail/byte_stream.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline::http {

/// The bytes of a client's WebSocket, which connects when it is first used. Where connecting fails, reading fails with
/// that error.
class websocket_stream final : public partyline::detail::byte_stream {
public:
    /// `on_subprotocol`, which may be empty, is told which one the server has chosen; empty: none.
    websocket_stream(connector by, std::vector<std::string> subprotocols,
                     std::function<void(const std::string&)> on_subprotocol);
    ~websocket_stream() override;

    void start_read(boost::asio::mutable_buffer target, std::shared_ptr<user> told) override;
    bool can_wait() const noexcept override;
    void start_wait(std::shared_ptr<user> told) override;
    std::size_t try_read(boost::asio::mutable_buffer target, error_code& failed) override;
    std::size_t try_write(boost::asio::const_buffer source, error_code& failed) override;
    bool can_try_write() const noexcept override;
    void start_write(boost::asio::const_buffer source, std::shared_ptr<user> told) override;
    void start_watch(std::shared_ptr<user> told) override;
    bool has_ended_input() override;
    std::size_t unread() override;
    bool is_socket() const noexcept override { return true; }
    bool close_send() override;
    void start_close(std::shared_ptr<user> told) override;
    bool explains_end() const noexcept override;
    partyline::detail::end_reason why_ended() const override;

private:
    struct opening;

    void begin();

    std::shared_ptr<opening> opening_;
};

} // namespace partyline::http
