#pragma once

#include <partyline/protocol/json_text.hpp>
#include <partyline/session/access_view.hpp>

#include <string_view>

namespace gateway {

/// The result of a request as a client with this view may see it. Of lists (of MCP, and `rpc.discover`) the entries go
/// that are hidden from it, and those of which it can't be told, which are all where a list is no array; an empty page
/// stays one, with its cursor. What may be cached (`cacheScope`, also of `resources/read`) is that client's alone.
/// Everything else stays as it came.
partyline::json_text filtered_reply(const partyline::access_view& by, std::string_view method,
                                    partyline::json_text result);

} // namespace gateway
