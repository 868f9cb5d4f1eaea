#pragma once

#include "gateway/options.hpp"
#include "gateway/upstream.hpp"

#include <partyline/http/server.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <vector>

namespace gateway {

/// The servers behind a gateway: one for each session, and one for all that have none, for each dialect that is asked for.
///
/// Thread safety: everything on the executor of the program.
class servers {
public:
    servers(boost::asio::any_io_executor executor, const options& how) : executor_(std::move(executor)), options_(how)
    {
    }

    /// Serves clients with them: at /rpc, /ws and without HTTP, and one of MCP at /mcp and /mcp/ws.
    void add_to(partyline::http::server& http);
    /// False where one is not started again that all need, or the last one that was begun for a session.
    bool are_well() const;
    /// Ends those that are shared; the others end with their sessions.
    void stop();

private:
    std::shared_ptr<const partyline::dispatcher> serve(dialect speaks, std::shared_ptr<upstream> by,
                                                       partyline::session_options& session);
    std::shared_ptr<upstream> shared(dialect speaks);
    std::shared_ptr<upstream> for_session(dialect speaks);
    std::shared_ptr<const partyline::dispatcher> serve_connection(dialect speaks, partyline::session_options& session);
    std::shared_ptr<upstream> make(dialect speaks, bool is_shared);

    boost::asio::any_io_executor executor_;
    const options& options_;
    std::shared_ptr<upstream> plain_; // for all that have no session
    std::shared_ptr<upstream> mcp_;
    std::weak_ptr<upstream> own_;                         // the last one for a session
    std::vector<std::weak_ptr<upstream>> of_connections_; // one for each, some may have ended
};

/// Runs a gateway until a signal ends it. Returns the exit code.
int serve(options how);

} // namespace gateway
