#pragma once

#include "gateway/relay_profile.hpp"

#include <partyline/protocol/json_text.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/asio/awaitable.hpp>

#include <string>
#include <string_view>

namespace gateway {

/// The session with the host, for what a server over HTTP says by itself.
///
/// Thread safety: everything on the session's executor.
class host_session {
public:
    const partyline::profile& profile() const noexcept { return profile_; }

    /// Ends when it is on its way, so that whoever says more than the host takes waits. It never ends where the session
    /// has.
    boost::asio::awaitable<void> tell(std::string method, partyline::json_text params);
    /// Never ends where the session has.
    boost::asio::awaitable<partyline::response> ask(std::string method, partyline::json_text params);
    /// `line` may be anybody's text.
    void log(std::string_view line) const;

private:
    relay_profile profile_{protocol::mcp};
};

} // namespace gateway
