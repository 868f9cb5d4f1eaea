#pragma once

#include "server/log_throttle.hpp"

#include <partyline/config.hpp>
#include <partyline/session/access_control.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace partyline {

/// Authenticates the peers of connections without HTTP, by what the connection tells of them. The log is told of those
/// that are refused, limited by a `log_throttle`.
/// Thread safety: none.
class PARTYLINE_EXPORT peer_authenticator {
public:
    using line_writer = std::function<void(std::string_view)>;

    /// `by` may be null, and `authenticate()` is not called then. `log` lives longer.
    peer_authenticator(std::shared_ptr<access_control> by, const line_writer& log) noexcept
        : by_(std::move(by)), log_(log)
    {
    }

    /// Null: the peer is not admitted.
    std::shared_ptr<const access_grant> authenticate(const peer_identity& from) noexcept;

private:
    void log_refusal(const peer_identity& from, authentication_outcome how) noexcept;

    const std::shared_ptr<access_control> by_;
    const line_writer& log_;
    log_throttle refusals_;
};

} // namespace partyline
