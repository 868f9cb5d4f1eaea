#pragma once

#include "command_line/observer.hpp"
#include "gateway/child_server.hpp"
#include "gateway/listed_tools.hpp"
#include "gateway/options.hpp"
#include "gateway/server_totals.hpp"
#include "gateway/upstream.hpp"

#include <partyline/http/server.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <utility>

namespace gateway {

/// The servers of one thread of a gateway, for plain JSON-RPC and for MCP: one for each session, and one for all
/// requests without a session.
///
/// Thread safety: everything on the executor.
class servers {
public:
    /// `how` and `observer` live longer; that sees what servers are asked. `totals`: with those of the other threads.
    servers(boost::asio::any_io_executor executor, const options& how, const command_line::observer& observer,
            std::shared_ptr<server_totals> totals);
    servers(const servers&) = delete;
    servers& operator=(const servers&) = delete;

    /// Serves clients with them: at /rpc, /ws and without HTTP, and one of MCP at /mcp and /mcp/ws.
    void add_to(partyline::http::server& http);
    /// Serves one call of a bus with one server, which all such calls share. What it speaks the first call says.
    std::shared_ptr<const partyline::dispatcher> serve_call(partyline::session_options& session)
    {
        return serve(protocol::either, shared(protocol::either), session);
    }
    /// Serves a session of MCP that comes by a bus, whose worker bounds how many there are.
    std::shared_ptr<const partyline::dispatcher> serve_session(partyline::session_options& session)
    {
        return serve(protocol::mcp, for_session(protocol::mcp), session);
    }
    /// What is known of the tools of the shared server.
    const std::shared_ptr<listed_tools>& tools() const noexcept { return tools_; }
    /// Ends the shared servers; the others end with their sessions. `until_over` is kept until all have ended.
    void stop(std::shared_ptr<const void> until_over = nullptr);

private:
    std::shared_ptr<const partyline::dispatcher> serve(protocol speaks, std::shared_ptr<upstream> by,
                                                       partyline::session_options& session);
    std::shared_ptr<upstream> shared(protocol speaks);
    std::shared_ptr<upstream> for_session(protocol speaks);
    std::shared_ptr<const partyline::dispatcher> serve_connection(protocol speaks, partyline::session_options& session);
    child_server_options child_options(bool is_shared) const;
    std::shared_ptr<upstream> make(protocol speaks, bool is_shared, server_totals::place taken);

    boost::asio::any_io_executor executor_;
    const options& options_;
    const command_line::observer& observer_;
    std::shared_ptr<server_totals> totals_;
    std::shared_ptr<listed_tools> tools_;
    running_servers running_;         // which are killed with the context where they have not ended before
    std::shared_ptr<upstream> plain_; // for all that have no session, or come by a bus
    std::shared_ptr<upstream> mcp_;
};

/// How long requests may take at the end: what ends after them has the rest of `--http-drain-ms`.
partyline::http::time_limits::duration request_time(const options& how);

} // namespace gateway
