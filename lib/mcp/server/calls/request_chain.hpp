#pragma once

#include "mcp/server/server_facts.hpp"

#include <partyline/mcp/tool_error.hpp>
#include <partyline/rpc/middleware.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

namespace partyline::mcp {

/// The outermost of what stands around requests: makes a result of the protocol of what others have made. Nothing
/// becomes an empty object, and from 2026-07-28 on a result without `resultType` gets what one says of itself. A
/// `missing_capability` becomes an error that names it.
///
/// Fails with   std::logic_error, for a result that is no object
class envelope_middleware {
public:
    /// `by` lives longer.
    explicit envelope_middleware(const server_facts& by) noexcept : by_(&by) {}

    task<request_result> operator()(request_context& rpc, json_view params, next_handler& next) const;

private:
    const server_facts* by_;
};

/// What requests pass that a server serves: the server's own middleware, and then these. Empty where there is none.
request_middleware_list request_chain(const server_facts& of, const request_middleware_list& own = {});

} // namespace partyline::mcp
