#pragma once

#include "bench/driver/server_process.hpp"
#include "bench/driver/wire.hpp"
#include "support/unique_fd.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench::http {

/// The client's side of all connections to a server.
///
/// Every wait ends: with a `failure` in words when the server has died, closed a connection, or said nothing for
/// `patience`.
class client {
public:
    client(server_process& server, std::uint16_t port, speech how, std::chrono::milliseconds patience,
           std::optional<tls_client> secured = std::nullopt);

    /// One more connection, which lives as long as the client unless it is closed.
    connection& open();
    void close(connection& one);
    /// One that the server may close, and nobody listens to: then it is gone.
    connection& open_doomed();
    /// Those of them that are there.
    const std::vector<connection*>& doomed() const noexcept { return doomed_; }

    /// Writes `text`, and has more of it written when the socket takes more; it has to stay until then.
    void send(connection& to, std::string_view text);
    /// Waits until something has come, for `time` at most, and tells of each connection over which it came.
    void poll(std::chrono::nanoseconds time, const std::function<void(connection&)>& heard);
    /// Takes turns until it is `done`.
    void run(const std::function<bool()>& done, const std::function<void(connection&)>& heard);

    /// All messages that have come and have not been cleared.
    inbox& received() noexcept { return inbox_; }

private:
    using clock = std::chrono::steady_clock;

    connection& add(speech how);
    void watch(int socket, void* what, bool writes);
    void read_errors();
    void serve(connection& one, unsigned events, const std::function<void(connection&)>& heard);
    void lose(connection& one);
    [[noreturn]] void give_up(const std::string& why);

    server_process& server_;
    std::uint16_t port_;
    speech how_;
    std::chrono::milliseconds patience_;
    std::optional<tls_client> secured_;
    clock::time_point last_byte_;
    unique_fd events_;
    std::vector<std::unique_ptr<connection>> all_;
    std::vector<connection*> doomed_;
    inbox inbox_{framing::ndjson};
};

} // namespace bench::http
