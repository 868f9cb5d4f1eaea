#pragma once

#include "client.hpp"
#include "cores.hpp"
#include "posts.hpp"
#include "request_set.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// How servers are run and talked to.
struct surroundings {
    transport over = transport::pipes;
    std::chrono::milliseconds patience{10'000};
    /// Where the client and the server run; both empty: where the system puts them.
    std::vector<int> client_cores = {};
    std::vector<int> server_cores = {};
};

/// How a server is reached: by its standard streams, by lines on a TCP port, by POSTs at /rpc or /mcp, by WebSocket at
/// /ws, or over TLS by lines or by POSTs at /rpc.
enum class service { streams, tcp, http_rpc, http_mcp, websocket, tls, https_rpc };

struct service_facts {
    speech how;
    const char* path = "";    // of HTTP
    const char* options = ""; // of partyline's servers
    bool is_encrypted = false;
};
const service_facts& facts_of(service served);

/// One server for one measurement.
struct server_spec {
    std::string command;
    framing how = framing::ndjson; // of its standard streams
    /// The method that gives its params back; none: it gives back whatever it gets, as cat.
    std::optional<std::string> echo_method = {};
    protocol spoken = protocol::json_rpc;
    service served = service::streams;
    /// What it shows where it is reached over TLS, in PEM.
    std::string certificate_file = {};
    /// What its clients show, in turns: values of the field Authorization.
    std::vector<std::string> authorizations = {};
};

/// Standard streams or a connection, and how requests over it are written.
struct caller {
    connection* over;
    head_recipe how;
};

/// A server that is running for one measurement, and its client.
///
/// Flow: construct; begin(), after which start-up is over; open() and exchange() as often as wanted; finish().
class trial {
public:
    trial(const server_spec& server, const surroundings& around);

    /// Starts the server's account of CPU time when it has answered one call, which is checked; before that there is a
    /// handshake where the protocol wants one.
    void begin();
    /// From the start of the process to the answer of that call.
    std::chrono::nanoseconds start_time() const noexcept { return start_time_; }

    /// Starts the account anew.
    void mark() { marked_ = process_->cpu_time_of_all(); }
    /// What the account has come to so far.
    std::chrono::nanoseconds used() const { return process_->cpu_time_of_all() - marked_; }
    /// Ends the server, over standard streams sees that it says nothing more, and returns what the account has come to
    /// in the end, with the time of the server's children.
    std::chrono::nanoseconds finish();

    /// Standard streams, which there is one pair of, or one more client: in a session of its own where the server's
    /// protocol has them.
    caller open() { return open(spec_.spoken); }
    caller open(protocol spoken);
    std::vector<caller> open_all(std::size_t count);
    /// One that nobody listens to.
    connection& open_doomed() { return wire_->open_doomed(port_, secured_ ? &*secured_ : nullptr); }
    /// Sends `text`, and waits for so many answers.
    void exchange(connection& over, std::string_view text, std::size_t answers = 1);

    client& wire() noexcept { return *wire_; }
    server_process& process() noexcept { return *process_; }
    const server_spec& spec() const noexcept { return spec_; }
    /// Checks all that has come against what was asked, and forgets it.
    void check(const request_set& requests);

private:
    using clock = std::chrono::steady_clock;

    caller connect(protocol spoken);
    void shake_hands(caller& with);

    server_spec spec_;
    std::chrono::milliseconds patience_;
    std::optional<on_cores> place_;
    clock::time_point begin_;
    std::optional<server_process> process_;
    std::optional<tls_client> secured_;
    std::optional<client> wire_;
    std::optional<caller> streams_;
    std::uint16_t port_ = 0; // 0: standard streams
    std::chrono::nanoseconds start_time_{};
    std::chrono::nanoseconds marked_{};
};

} // namespace bench
