#pragma once

#include "command_line/observer.hpp"
#include "gateway/options.hpp"
#include "gateway/upstream.hpp"

#include <partyline/http/server.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace gateway {

/// The servers of a gateway, for plain JSON-RPC and for MCP: one for each session, and one for all requests without a
/// session.
///
/// Thread safety: everything on the executor of the program.
class servers {
public:
    /// Both live longer. `observer` sees what servers are asked.
    servers(boost::asio::any_io_executor executor, const options& how, const command_line::observer& observer);
    servers(const servers&) = delete;
    servers& operator=(const servers&) = delete;
    /// Servers that still run are killed with the context.
    ~servers();

    /// Serves clients with them: at /rpc, /ws and without HTTP, and one of MCP at /mcp and /mcp/ws.
    void add_to(partyline::http::server& http);
    /// Serves one call of a bus with one server, which all such calls share. What it speaks the first call says.
    std::shared_ptr<const partyline::dispatcher> serve_call(partyline::session_options& session)
    {
        return serve(protocol::either, shared(protocol::either), session);
    }
    /// False where new clients can't be served: the program is missing, or a shared server was given up.
    bool are_well() const;
    /// Whether a shared server was given up for ever.
    bool have_failed() const noexcept { return have_failed_; }
    /// `told` is called where a shared server is given up for ever.
    void on_failure(std::function<void()> told) { on_failure_ = std::move(told); }
    /// Ends the shared servers; the others end with their sessions.
    void stop();

private:
    std::shared_ptr<const partyline::dispatcher> serve(protocol speaks, std::shared_ptr<upstream> by,
                                                       partyline::session_options& session);
    std::shared_ptr<upstream> shared(protocol speaks);
    std::shared_ptr<upstream> for_session(protocol speaks);
    std::shared_ptr<const partyline::dispatcher> serve_connection(protocol speaks, partyline::session_options& session);
    std::shared_ptr<upstream> make(protocol speaks, bool is_shared);

    boost::asio::any_io_executor executor_;
    const options& options_;
    const command_line::observer& observer_;
    std::shared_ptr<partyline::memory_budget> kept_; // of all servers
    running_servers running_;
    std::function<void()> on_failure_;
    bool have_failed_ = false;
    std::shared_ptr<upstream> plain_; // for all that have no session, or come by a bus
    std::shared_ptr<upstream> mcp_;
    std::vector<std::weak_ptr<upstream>> of_connections_; // one for each, some may have ended
};

/// How long requests may take at the end: what ends after them has the rest of `--http-drain-ms`.
partyline::http::time_limits::duration request_time(const options& how);

/// Runs a gateway until a signal ends it. Returns the exit code.
int serve(options how);

} // namespace gateway
