#pragma once

#include "support/http_client.hpp"
#include "support/mailbox.hpp"
#include "support/thread_crew.hpp"

#include <partyline/http/server.hpp>
#include <partyline/mcp/mcp.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace partyline::test {

/// A server over HTTP with several threads, the first of which is beside the test's: "/rpc" with "thread", which
/// returns where it runs, "echo", and "wait", which ends when it is cancelled; "/mcp" with the tools "thread" and
/// "wait". `add` may add more.
class threaded_server {
public:
    explicit threaded_server(http::server_options options = {}, std::size_t threads = 4,
                             const std::function<void(http::server&)>& add = {});
    ~threaded_server();

    http::server& get() { return *server_; }
    std::uint16_t port() const { return port_; }
    void destroy() { server_.reset(); }
    /// What `async_run` has completed with.
    error_code wait_end() { return ended_.take(); }
    std::atomic<int> waiting = 0; // calls of "wait"

private:
    mailbox<error_code> ended_;
    std::optional<thread_crew> crew_;
    std::optional<http::server> server_;
    std::uint16_t port_ = 0;
};

/// A client with a context of its own, so that several may be on threads of their own.
class threaded_client {
public:
    explicit threaded_client(std::uint16_t port) : client_(context_, port) {}
    http_client& get() { return client_; }
    http_client* operator->() { return &client_; }

    /// The thread that "thread" of "/rpc" has run on.
    std::string thread();
    /// Begins a session, and returns the field that names it.
    std::string begin_session();
    /// The thread that the tool "thread" has run on; empty where the session is not found.
    std::string thread_of(const std::string& session);

private:
    boost::asio::io_context context_{1};
    http_client client_;
};

/// A call of a tool without arguments.
std::string tool_call(std::string_view tool);

} // namespace partyline::test
