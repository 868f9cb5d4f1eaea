#pragma once

#include "conversation.hpp"
#include "cores.hpp"
#include "mcp_content.hpp"
#include "request_set.hpp"
#include "server_process.hpp"
#include "wire.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// How servers are run and talked to.
struct surroundings {
    transport over = transport::pipes;
    std::chrono::milliseconds patience{10'000};
    /// Where the client and the server run; both empty: where the system puts them.
    std::vector<int> client_cores;
    std::vector<int> server_cores;
};

/// How a server is reached: by its standard streams, by lines on a TCP port, by POSTs at /rpc or /mcp, by WebSocket at
/// /ws, or over TLS by lines or by POSTs at /rpc.
enum class service { streams, tcp, http_rpc, http_mcp, websocket, tls, https_rpc };

inline bool is_encrypted(service served)
{
    return served == service::tls || served == service::https_rpc;
}

/// One server for one measurement.
struct server_spec {
    std::string command;
    framing how = framing::ndjson;
    /// The method that gives its params back; none: it gives back whatever it gets, as cat.
    std::optional<std::string> echo_method = {};
    protocol spoken = protocol::json_rpc;
    service served = service::streams;
    /// What it shows where it is reached over TLS, in PEM.
    std::string certificate_file = {};
};

/// What a server is asked first.
request_recipe first_call(const server_spec& server);
/// What it has said on its standard error, for the report of a failure; it is killed.
std::string last_words(server_process& process);

/// A server that is running, and the client's side of the wire to it.
///
/// Flow: construct; begin(), after which start-up is over; exchange() as often as wanted; finish().
class trial {
public:
    trial(const server_spec& server, const surroundings& around);

    /// Starts the server's account of CPU time when it has answered one call, which is checked; before that there is a
    /// handshake where the protocol wants one.
    void begin();
    /// From the start of the process to the answer of that call.
    std::chrono::nanoseconds start_time() const noexcept { return start_time_; }

    /// Starts the account anew.
    void mark() { marked_ = process().cpu_time(); }
    /// Ends the server, sees that it says nothing more, and returns the CPU time of its account to the very end.
    std::chrono::nanoseconds finish();

    conversation& wire() noexcept { return *wire_; }
    server_process& process() noexcept { return *process_; }
    const server_spec& server() const noexcept { return server_; }
    /// Checks all that has come against what was asked, and forgets it.
    void check(const request_set& requests);

    std::string last_words() { return bench::last_words(process()); }

private:
    void shake_hands();

    using clock = std::chrono::steady_clock;

    server_spec server_;
    std::optional<on_cores> place_;
    clock::time_point begin_;
    std::optional<server_process> process_;
    std::optional<conversation> wire_;
    std::chrono::nanoseconds start_time_{};
    std::chrono::nanoseconds marked_{};
};

} // namespace bench
