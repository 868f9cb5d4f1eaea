#pragma once

#include "gateway/running_gateway.hpp"
#include "http/client_pool.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

#include <sys/types.h>

namespace partyline::test {

/// A gateway whose server is killed again and again, while its clients call all the time.
///
/// Flow: `poll()` until `is_over()`; `finish()`.
class server_killer {
public:
    /// Whose servers they are: of plain JSON-RPC, of one session of MCP, or of all that there are.
    enum class server : std::uint8_t { plain, own, shared };
    server_killer(server kind, std::uint64_t seed, std::size_t kills);

    /// Serves the clients for a moment, and kills the server when that has answered a while. Throws when an answer is
    /// wrong, or an error comes late.
    void poll();
    /// All has been killed that was to be, and the last server serves.
    bool is_over() const;
    /// Lets the clients have their last answers, and ends the gateway; throws when that leaves anything.
    void finish();

    const client_counts& counts() const noexcept { return clients_.counts(); }

private:
    using clock = std::chrono::steady_clock;

    std::uint64_t results_of_last() const noexcept { return counts().results - results_before_; }
    void kill_server();
    void check_errors();

    struct beginning {
        post_target to;
        std::size_t descriptors; // of the gateway with its first server, and without clients
    };
    static beginning begin(server kind, running_gateway& gateway);

    running_gateway gateway_;
    std::size_t kills_left_;
    beginning begun_;
    client_pool clients_;
    std::uint64_t results_before_ = 0; // the last kill
    std::uint64_t errors_before_ = 0;  // the last look
    clock::time_point killed_;
};

} // namespace partyline::test
