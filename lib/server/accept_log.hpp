#pragma once

#include "server/log_throttle.hpp"
#include "transport/socket/listener.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/session/peer_identity.hpp>

#include <functional>
#include <string_view>

namespace partyline {

/// A server's log lines about its connections. Each kind is limited by a `log_throttle`: peers can cause them at no
/// cost, or they repeat on their own. A line that there is no memory for is not written.
/// Thread safety: none.
class accept_log {
public:
    using line_writer = std::function<void(std::string_view)>;

    /// `write` lives longer.
    explicit accept_log(const line_writer& write) noexcept : write_(write) {}

    void accept_failed(const listener& at, const error_code& why) noexcept;
    /// With the exception that is being handled.
    void serve_failed() noexcept;
    void refused(const ip_endpoint& from) noexcept;
    void session_ended(const error_code& why) noexcept;
    /// With the exception that is being handled.
    void hook_threw() noexcept;

private:
    template <class MakeLine>
    void write_once(log_throttle& of, MakeLine make) noexcept;

    const line_writer& write_;
    log_throttle failures_;
    log_throttle refusals_;
    log_throttle ended_access_;
    log_throttle http_requests_;
    log_throttle silent_peers_;
    log_throttle bad_headers_;
    log_throttle failed_sessions_; // for other reasons: with TLS each client has some at hand
    log_throttle failed_hooks_;
};

} // namespace partyline
