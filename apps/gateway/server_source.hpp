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

/// What a source of a server is given by whoever uses that server.
struct server_use {
    const partyline::profile* profile = &partyline::plain_profile;
    /// Serves what the server asks and tells.
    std::shared_ptr<const partyline::dispatcher> methods;
    /// Tells a new server, before anything else is said to it, what the last one was told. Throws where it can't be
    /// used.
    std::function<boost::asio::awaitable<void>(partyline::caller&)> on_new = {};
    partyline::message_hook on_message = {};
    std::function<void(std::string_view)> log = {};
};

/// Where a server comes from, and how it is reached. What is called before it is reached waits.
///
/// Thread safety: everything on the executor of the program.
class server_source {
public:
    virtual ~server_source() = default;

    /// Starts the server, or connects to it. `on_end` is called once, when there is none any more and none will come,
    /// with the reason where that is a failure, which has been logged. Once.
    virtual void start(std::function<void(partyline::error_code)> on_end) = 0;
    /// Ends it in order.
    virtual void close() = 0;
    /// Ends it at once.
    virtual void stop() noexcept = 0;
    /// Whether one is there, or is to come soon.
    virtual bool is_well() const = 0;
    /// The way to it; the same one for as long as the source lives.
    virtual partyline::caller& server() = 0;
    /// What a client is answered in the place of a server that has not answered.
    virtual partyline::rpc_error no_answer(const partyline::error_code& why, const std::string& details) const = 0;
};

/// Makes a source for one who uses it.
using server_maker = std::function<std::shared_ptr<server_source>(server_use)>;

} // namespace gateway
