#pragma once

#include <partyline/mcp/revision.hpp>

#include <boost/json/object.hpp>

namespace partyline::mcp {

/// Makes the params of `sampling/createMessage` what a revision has: before 2025-11-25 a message is one block, so that
/// several become several messages of the same role.
void fit_sampling_messages(boost::json::object& params, revision r);

} // namespace partyline::mcp
