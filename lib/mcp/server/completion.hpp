#pragma once

#include "mcp/server/catalogue.hpp"

#include <partyline/protocol/json_text.hpp>

#include <boost/json/object.hpp>

namespace partyline::mcp {

/// The result of `completion/complete` with these params. Throws `rpc_error` for what there is not, and for what is
/// hidden by `by`, as for that.
boost::json::object complete_argument(const catalogue& of, json_view params, const access_view* by);

} // namespace partyline::mcp
