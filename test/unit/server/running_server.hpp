#pragma once

#include "support/descriptors.hpp"
#include "support/mailbox.hpp"
#include "support/requests.hpp"
#include "support/scratch_directory.hpp"
#include "support/socket_client.hpp"
#include "support/thread_crew.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/server.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace partyline::test {

/// "echo"; "wait", which ends only when it is cancelled; "delay", after milliseconds; "big", of as many bytes as told.
method_table server_methods();

/// A server that listens on a Unix and a TCP socket and runs on threads of its own.
class running_server {
public:
    explicit running_server(server_options options = {}, int threads = 2, served_methods methods = server_methods());
    ~running_server();

    server& get() { return *server_; }
    std::filesystem::path path() const { return directory_ / "socket"; }
    std::uint16_t port() const { return port_; }

    socket_client unix_client() const { return socket_client(path()); }
    socket_client tcp_client() const { return socket_client(port_); }

    void destroy() { server_.reset(); }
    /// What `async_run` has completed with.
    error_code wait_end() { return ended_.take(); }

    struct session_end {
        session_counters counters;
        error_code why;
    };
    mailbox<session_end> ends;
    mailbox<std::string> log;

private:
    scratch_directory directory_;
    mailbox<error_code> ended_;
    thread_crew crew_;
    std::optional<server> server_;
    std::uint16_t port_ = 0;
};

} // namespace partyline::test
