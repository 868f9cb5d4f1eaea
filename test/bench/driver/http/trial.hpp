#pragma once

#include "bench/driver/cores.hpp"
#include "bench/driver/request_set.hpp"
#include "bench/driver/trial.hpp"
#include "client.hpp"
#include "listening_server.hpp"
#include "posts.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench::http {

/// A connection, and how requests over it begin.
struct caller {
    connection* over;
    head_recipe how;
};

std::vector<head_recipe> heads_of(const std::vector<caller>& callers);

/// A server on a port for one measurement, and its client.
///
/// Flow: construct; begin(), after which start-up is over; connections as wanted; finish().
class trial {
public:
    trial(const server_spec& server, const surroundings& around);

    /// Starts the server's account of CPU time when it has answered one call, which is checked.
    void begin();
    /// Starts the account anew.
    void mark() { marked_ = process().cpu_time_of_all(); }
    /// What the account has come to so far.
    std::chrono::nanoseconds used() { return process().cpu_time_of_all() - marked_; }
    /// What it has come to in the end, the server's children's time included; the server ends.
    std::chrono::nanoseconds finish();

    /// One more client: in a session of its own where the server's protocol has them.
    caller open() { return open(spec_.spoken); }
    caller open(protocol spoken);
    std::vector<caller> open_all(std::size_t count);
    /// Sends one request, and waits for the end of the response.
    void exchange(connection& over, std::string_view request);

    client& wire() noexcept { return *wire_; }
    server_process& process() noexcept { return server_->process(); }
    const server_spec& spec() const noexcept { return spec_; }
    /// Checks all that has come against what was asked, and forgets it.
    void check(const request_set& requests);

    std::string last_words() { return bench::last_words(process()); }

private:
    void shake_hands(caller& with);
    void open_websocket(const caller& with);

    server_spec spec_;
    std::chrono::milliseconds patience_;
    std::optional<on_cores> place_;
    std::optional<listening_server> server_;
    std::optional<client> wire_;
    std::chrono::nanoseconds marked_{};
};

} // namespace bench::http
