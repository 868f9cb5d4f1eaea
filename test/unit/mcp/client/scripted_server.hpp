#pragma once

#include "scripted_peer.hpp"

#include <partyline/mcp/client.hpp>

#include <boost/asio/io_context.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

struct scripted_context {
    boost::asio::io_context context{1};
};

/// An MCP client, and the server that the test plays.
class scripted_server : public scripted_context, public scripted_peer {
public:
    scripted_server();
    ~scripted_server() override;

    mcp::client_options options;
    std::vector<std::string> logged;

    /// Made when it is first asked for, with the options of then.
    mcp::client& client();
    void destroy_client() { client_.reset(); }

    /// Start the client as that of such a server; `capabilities` is what it says it has.
    void start_modern(std::string_view capabilities = "{}");
    void start_legacy(std::string_view capabilities = "{}", std::string_view revision = "2025-11-25");

private:
    void prepare() override { client(); }

    std::optional<mcp::client> client_;
};

} // namespace partyline::test
