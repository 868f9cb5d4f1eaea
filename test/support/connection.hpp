#pragma once

#include "support/fault_plan.hpp"

#include <partyline/session.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace partyline::test {

/// A connection between a session and the peer that a test plays: the peer's end, and the session yet to be made on the
/// other. A session treats each kind in its own way.
class connection {
public:
    enum class kind {
        memory,    // can't be written to without waiting
        socket,    // a Unix socket: can
        descriptor // the same one as a descriptor, written to by hand because of SIGPIPE
    };

    static std::unique_ptr<connection> make(kind what, boost::asio::io_context& context);
    virtual ~connection() = default;

    /// The session on the other end; with a plan, on a stream that it meddles with. Once.
    virtual session make_session(std::shared_ptr<const dispatcher> methods, session_options options,
                                 std::shared_ptr<fault_plan> faults) = 0;

    // The peer's end.
    virtual void read(boost::asio::mutable_buffer target, std::function<void(error_code, std::size_t)> done) = 0;
    virtual void write(boost::asio::const_buffer source, std::function<void(error_code)> done) = 0;
    virtual void close_send() = 0;
    virtual void close() = 0;
};

std::string to_string(connection::kind what);

} // namespace partyline::test
