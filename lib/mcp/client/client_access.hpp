#pragma once

#include <partyline/mcp/client.hpp>

#include <memory>

namespace partyline::mcp::detail {

/// Gives what stands behind a client.
struct client_access {
    /// Throws `std::logic_error` for one that was moved from.
    static const std::shared_ptr<client_core>& core(const client& of) { return of.core(); }
};

} // namespace partyline::mcp::detail
