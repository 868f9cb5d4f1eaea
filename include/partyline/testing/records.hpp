#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace partyline::test {

/// A notification as it came to the peer; `params` is null where there are none.
struct recorded_notification {
    /// The name of the notification.
    std::string method;
    /// The params, as they came.
    boost::json::value params;
};

/// The contents of one progress notification.
struct recorded_progress {
    /// The method of the call that it belongs to; empty where the token is that of no call in flight.
    std::string method;
    /// The token.
    boost::json::value token;
    /// The value.
    boost::json::value value;
};

/// A call that a handler made to the peer.
struct recorded_call {
    /// The name that was called.
    std::string method;
    /// The params, as they were given; null where there are none.
    boost::json::value params;
};

} // namespace partyline::test
