#pragma once

#include "session/calls/posted_completion.hpp"
#include "tls/engine/layer.hpp"
#include "tls/stream_core.hpp"

#include <partyline/tls/connect.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace partyline::tls {

/// One handshake, of either side, on a strand of its own, so that it can be cancelled at any time. Settled once.
class handshake : public std::enable_shared_from_this<handshake> {
public:
    handshake(boost::asio::any_io_executor executor, stream_handler done);

    void accept(stream::lowest_layer_type socket, server_context context);
    void connect(std::string host, std::uint16_t port, client_context context);

private:
    using make_layer = std::function<std::unique_ptr<layer>(int descriptor)>;

    void start(std::function<void()> work);
    void guarded(const std::function<void()>& step) noexcept;
    void shake(stream::lowest_layer_type socket, const make_layer& make, std::chrono::steady_clock::duration bound);
    void go_on();
    void wait(stream::wait_type what);
    void stop_connecting() noexcept;
    void settle(error_code failed) noexcept;

    boost::asio::any_io_executor executor_;
    boost::asio::any_io_executor strand_;
    boost::asio::steady_timer timer_;
    boost::asio::cancellation_signal connecting_;
    std::shared_ptr<stream_core> core_; // none yet: it connects
    stream none_;                       // what a failure gives, made where there is memory for it
    completion<error_code, stream> done_;
    bool is_settled_ = false;
};

} // namespace partyline::tls
