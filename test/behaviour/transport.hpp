#pragma once

#include <partyline/session.hpp>

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline::test {

/// The server of a test, with the methods of methods.hpp, and the way to it.
class server_side {
public:
    virtual ~server_side() = default;

    /// A client's session, not yet run. Once.
    virtual session connect(std::shared_ptr<const dispatcher> methods, session_options options) = 0;
    /// Ends what is of it in our own process.
    virtual void stop() {}
    /// What the server's `async_run` has completed with; unset as long as that runs, or when it is another process.
    virtual std::optional<error_code> result() const { return {}; }
};

/// A kind of way between a client and a server.
struct transport {
    std::string name;
    std::function<std::unique_ptr<server_side>(boost::asio::io_context&, framing_kind)> make;
    framing_kind framing = framing_kind::lines;
    /// The server is a process of its own.
    bool is_process = false;
    /// It says what makes no sense between its messages.
    bool babbles = false;
    /// By what payloads are divided: one that is slow for its own sake.
    std::size_t slowness = 1;
};

/// Each with either framing.
const std::vector<transport>& all_transports();

} // namespace partyline::test
