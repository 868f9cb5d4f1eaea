#pragma once

#include "support/http_client.hpp"
#include "support/line_reader.hpp"
#include "support/scratch_directory.hpp"
#include "support/unique_fd.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// A server behind the gateway whose messages the test reads and writes itself, by two named pipes.
class fifo_server {
public:
    fifo_server();

    /// The words of the gateway's command line, these options first, that have it started.
    std::vector<std::string> behind(std::vector<std::string> options = {}) const;

    /// The next message with this method that it is sent, or any one; others before it are passed over.
    boost::json::object read(std::string_view method = {});
    void write(const std::string& message);
    /// Answers a request with this result, after other messages in the same write.
    void answer(const boost::json::object& request, std::string_view result = "{}", const std::string& before = {});
    /// Begins a session of MCP through the gateway, whose clients share this server, and returns the field that names
    /// the session. The first one greets the server.
    std::string begin_session(http_client& client, bool is_first, const std::string& name = "t");
    /// Ends it.
    void close() noexcept { replies_.reset(); }

private:
    scratch_directory folder_;
    line_reader requests_;
    unique_fd replies_;
};

} // namespace partyline::test
