#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/session/caller.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/message_event.hpp>
#include <partyline/session/profile.hpp>

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gateway {

/// What a source needs from the user of its server.
struct server_use {
    const partyline::profile* profile = &partyline::plain_profile;
    /// Serves the requests and notifications of the server.
    std::shared_ptr<const partyline::dispatcher> methods;
    /// Tells a new server what the last one was told, before anything else is sent to it. Throws where the server can't
    /// be used.
    std::function<boost::asio::awaitable<void>(partyline::caller&)> on_new = {};
    partyline::message_hook on_message = {};
    std::function<void(std::string_view)> log = {};
};

/// Where a server comes from, and how it is reached. Calls made before it is reached wait.
///
/// Thread safety: everything on the executor that it is made with.
class server_source {
public:
    virtual ~server_source() = default;

    /// Starts the server, or connects to it. `on_end` is called once, when there is no server any more and none will
    /// come, with the reason where that is a failure, which has been logged. To be called once.
    virtual void start(std::function<void(partyline::error_code)> on_end) = 0;
    /// Ends it in order.
    virtual void close() = 0;
    /// Ends it at once.
    virtual void stop() noexcept = 0;
    /// The way to it; the same one for as long as the source lives.
    virtual partyline::caller& server() = 0;
    /// The error for a client whose request the server has not answered.
    virtual partyline::rpc_error no_answer(const partyline::error_code& why, const std::string& details) const = 0;
};

/// Makes a source.
using server_maker = std::function<std::shared_ptr<server_source>(server_use)>;

} // namespace gateway
