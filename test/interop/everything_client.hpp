#pragma once

#include "support/foreign_client.hpp"

#include <partyline/transport/child_process.hpp>

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace partyline::test {

/// A client of `@modelcontextprotocol/server-everything`, which it starts, and which it answers what it is asked back.
class everything_client : public foreign_client {
public:
    /// Starts the server and goes through the handshake of the Model Context Protocol.
    explicit everything_client(child_options how = {});

    /// Who wants a sample of us waits here for it.
    gate sampling{context};
    /// What `initialize` returned.
    boost::json::object introduction;

    pending start_tool(std::string_view name, boost::json::object arguments = {},
                       boost::json::value progress_token = nullptr);
    /// The texts that a tool returns, one after the other.
    std::string text_of(const pending& tool_call);

private:
    void add_methods();
    void initialize();
};

} // namespace partyline::test
