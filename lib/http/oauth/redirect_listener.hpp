#pragma once

#include "http/connections/wait_ready.hpp"
#include "http/oauth/authorization.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::http {

/// Listens on 127.0.0.1 for the browser that brings the answer to a login back (RFC 8252 §7.3). Each connection may ask
/// one thing, in a head of 32 KiB with a target of 8 KiB, within 10 s unless told otherwise; 16 may be open at a time.
/// What is not the answer is told so by status 400, and the listener goes on waiting.
///
/// Flow: `redirect_uri()` for the login, `wait()` once. Destroying it closes everything.
/// Thread safety: none; everything on the executor, which is a strand or serial.
class redirect_listener {
public:
    /// Of a request: path and query.
    using reader = std::function<login_answer(std::string_view target)>;

    /// Throws `boost::system::system_error` where the port can't be had. 0: the system chooses one.
    redirect_listener(boost::asio::any_io_executor serial, std::uint16_t port,
                      std::chrono::milliseconds connection_time = std::chrono::seconds(10));
    ~redirect_listener();
    redirect_listener(const redirect_listener&) = delete;
    redirect_listener& operator=(const redirect_listener&) = delete;

    /// "http://127.0.0.1:40123/callback".
    std::string redirect_uri() const;
    /// Waits for the answer, of which `read` says whether it is that.
    ///
    /// Fails with       errc::timeout when `until` has come
    /// Cancellation     terminal, partial, total: operation_aborted
    boost::asio::awaitable<login_answer> wait(reader read, time_limit until);

private:
    class core;

    std::shared_ptr<core> core_;
};

} // namespace partyline::http
