#pragma once

#include "command_line/telemetry_options.hpp"

#include <partyline/http/server.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/session/access_control.hpp>
#include <partyline/session/call_result.hpp>
#include <partyline/session/session_options.hpp>
#include <partyline/session/trace_context.hpp>
#include <partyline/telemetry/metrics.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace command_line {

/// The methods that a program serves, as far as it knows them.
struct observed_methods {
    std::vector<std::string> names;
    bool are_of_mcp = false;
};

/// A call to a server while it is observed; one that is not ended is lost.
class observed_call {
public:
    virtual ~observed_call() = default;

    /// What the server is to be told.
    virtual const partyline::trace_context& trace() const noexcept = 0;
    /// The call came to this: to `reply`, unless `failed` says that there is none.
    virtual void end(partyline::error_code failed, const partyline::response& reply) noexcept = 0;
    /// There has been no call.
    virtual void discard() noexcept = 0;
};

/// A call that is about to be made for a request of this trace.
struct passed_call {
    const partyline::trace_context& parent;
    std::string_view method;
    partyline::json_view params;
    std::string_view revision; // of MCP, where the params do not say it; empty: unknown
};

/// Observes one. Empty: nobody asks.
using call_observer = std::function<std::unique_ptr<observed_call>(const passed_call& call)>;

/// Metrics can't be served where the command line says. Programs end with `exit_codes::stream_failed` then, as where
/// any other address is taken.
class listen_failure final : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A number that a program has for metrics.
using observed_number = partyline::telemetry::named_number;
using observed_numbers = std::function<std::vector<observed_number>()>;

/// Lets others see what a program serves: serves its metrics, exports spans, and writes the message log, as the command
/// line asks for. What waits for others does so on a thread of its own.
///
/// Lifetime: outlives what it observes. Its end exports the spans that are left, within two seconds.
class observer {
public:
    /// Whether it is part of this program.
    static bool is_built() noexcept;

    /// Says on standard error where metrics are served. Throws `listen_failure`, or another `std::exception`, with a
    /// text for the user.
    observer(const telemetry_options& options, const std::string& program, const observed_methods& methods);
    observer(const observer&) = delete;
    observer& operator=(const observer&) = delete;
    ~observer();

    /// Observes sessions with these options.
    void observe(partyline::session_options& its) const;
    /// Observes what these sessions call, too: their peers are told of traces.
    void observe_calls(partyline::session_options& its) const;
    /// For calls that are passed on.
    call_observer passed_calls() const;
    /// Authenticates by another object, and counts how that ends. Null stays null.
    std::shared_ptr<partyline::access_control> counted(std::shared_ptr<partyline::access_control> by) const;
    /// Counts connections by this function, which may be called from any thread, until another one is set. Empty: there
    /// are none.
    void count_connections(std::function<std::size_t()> of) const;
    /// Reads numbers besides by this function, see `partyline::telemetry::metrics::set_reader`.
    void set_reader(observed_numbers of) const;
    /// The same for a server of HTTP: see `http_service::watch`.
    std::function<void(const partyline::http::server*)> watch() const;

private:
    struct core;
    std::unique_ptr<core> core_; // null: nothing is asked for
};

/// Counts the connections of something that may go away before the observer does.
class counted_connections {
public:
    counted_connections(const observer& by, std::function<std::size_t()> of) : by_(by)
    {
        by_.count_connections(std::move(of));
    }
    ~counted_connections() { by_.count_connections({}); }
    counted_connections(const counted_connections&) = delete;
    counted_connections& operator=(const counted_connections&) = delete;

private:
    const observer& by_;
};

/// Reads the numbers of something that may go away before the observer does.
class read_numbers {
public:
    read_numbers(const observer& by, observed_numbers of) : by_(by) { by_.set_reader(std::move(of)); }
    ~read_numbers() { by_.set_reader({}); }
    read_numbers(const read_numbers&) = delete;
    read_numbers& operator=(const read_numbers&) = delete;

private:
    const observer& by_;
};

} // namespace command_line
