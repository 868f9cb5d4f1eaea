#pragma once

#include "gateway/servers.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace gateway {

/// The servers of each thread that serves clients: nothing of them is shared on the way of a request. Those of further
/// threads are destroyed with the contexts of these, which end with the given one.
///
/// Thread safety: everything on the context's thread, but what `health` has returned from any.
class thread_servers {
public:
    /// All live longer. `observer` sees what servers are asked.
    thread_servers(boost::asio::io_context& context, const options& how, const command_line::observer& observer);

    /// Serves clients with them. Once, before the server runs.
    void add_to(partyline::http::server& http);
    /// What tells whether all are well, see `servers`, as long as anybody asks.
    std::function<bool()> health() const;
    bool have_failed() const noexcept { return totals_->have_failed(); }
    /// The context calls `told` where a shared server is given up for ever. To be set before clients are served.
    void on_failure(std::function<void()> told);
    /// All clients have gone: ends the shared servers. The context runs until all servers have ended.
    void stop();

private:
    struct of_thread {
        boost::asio::any_io_executor executor;
        std::shared_ptr<servers> its;
    };

    boost::asio::io_context& context_;
    const options& options_;
    const command_line::observer& observer_;
    std::shared_ptr<server_totals> totals_;
    std::vector<of_thread> threads_; // the first is the context's
};

/// Runs a gateway until a signal ends it. Returns the exit code.
int serve(options how);

} // namespace gateway
