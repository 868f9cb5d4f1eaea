#pragma once

#include "command_line/telemetry_options.hpp"

#include <partyline/http/server.hpp>
#include <partyline/session/access_control.hpp>
#include <partyline/session/session_options.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace command_line {

/// The methods that a program serves, as far as it knows them.
struct observed_methods {
    std::vector<std::string> names;
    bool are_of_mcp = false;
};

/// Lets others see what a program serves: serves its metrics, exports spans, and writes the message log, as the command
/// line asks for. What waits for others does so on a thread of its own.
///
/// Lifetime: outlives what it observes. Its end exports the spans that are left, within two seconds.
class observer {
public:
    /// Whether it is part of this program.
    static bool is_built() noexcept;

    /// Says on standard error where metrics are served. Throws `std::exception` with a text for the user.
    observer(const telemetry_options& options, const std::string& program, const observed_methods& methods);
    observer(const observer&) = delete;
    observer& operator=(const observer&) = delete;
    ~observer();

    /// Observes sessions with these options.
    void observe(partyline::session_options& its) const;
    /// Authenticates by another object, and counts how that ends. Null stays null.
    std::shared_ptr<partyline::access_control> counted(std::shared_ptr<partyline::access_control> by) const;
    /// Counts connections by this function, which may be called from any thread, until another one is set. Empty: there
    /// are none.
    void count_connections(std::function<std::size_t()> of) const;
    /// The same for a server of HTTP: see `http_service::watch`.
    std::function<void(const partyline::http::server*)> watch() const;

private:
    struct core;
    std::unique_ptr<core> core_; // null: nothing is asked for
};

} // namespace command_line
