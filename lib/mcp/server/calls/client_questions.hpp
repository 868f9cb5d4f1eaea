#pragma once

#include <partyline/mcp/server/context.hpp>

#include <cstddef>

namespace partyline::mcp {

/// Asks the client while the handler waits: the legacy era. Throws `tool_error` for what has no answer that fits.
task<void> ask_client(request_context& rpc, revision r, const detail::open_question* questions, std::size_t count);

} // namespace partyline::mcp
