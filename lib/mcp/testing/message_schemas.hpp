#pragma once

#include <partyline/mcp/revision.hpp>
#include <partyline/mcp/testing/test_records.hpp>

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace partyline::mcp {

/// What is wrong with a message by the published schema of a revision; empty: nothing. `method`: of the request that an
/// answer is for; empty where that is not known.
///
/// Requests of a client that the protocol does not have, such as those of extensions, need fit the envelope alone; what
/// a server sends of that kind is wrong, unless the client has declared extensions. Thread safety: safe.
std::string schema_problem(const boost::json::object& message, revision r, message_sender by, std::string_view method,
                           bool has_extensions = false);

} // namespace partyline::mcp
