#pragma once

#include "support/http_client.hpp"

#include <partyline/http/server.hpp>

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace partyline::test {

/// A server over HTTP and its clients, on one thread. Every wait is bounded.
class http_fixture {
public:
    http_fixture();
    ~http_fixture();

    boost::asio::io_context context{1};
    http::server_options options;
    std::vector<std::string> logged;
    std::optional<error_code> ended; // what the server's run has completed with

    /// Made when it is first asked for, with `options` as they are by then.
    http::server& served();
    /// Listens and runs.
    void start();
    http_client connect();
    /// Runs until `done`; throws when that takes too long.
    void run_until(const std::function<bool()>& done);
    std::uint16_t port() const { return port_; }

private:
    std::optional<http::server> server_;
    std::uint16_t port_ = 0;
};

} // namespace partyline::test
