#pragma once

#include "mcp/client/client_handlers.hpp"

#include <partyline/mcp/client/client_options.hpp>
#include <partyline/mcp/revision.hpp>

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace partyline::mcp {

/// What a client can do, as its handlers say.
boost::json::object client_capabilities(const client_handlers& of, const client_options& options, era in);

/// What each request has in its `_meta` from 2026-07-28 on.
boost::json::object modern_meta(const client_handlers& of, const client_options& options, revision r);

/// `"name":value`, behind a comma where there is something already.
void add_member(std::string& members, std::string_view name, std::string_view json);
void add_string(std::string& members, std::string_view name, std::string_view text);

} // namespace partyline::mcp
