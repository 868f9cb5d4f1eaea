#pragma once

/// All that an author of an MCP server needs.

#include <partyline/mcp/content.hpp>
#include <partyline/mcp/error_codes.hpp>
#include <partyline/mcp/questions.hpp>
#include <partyline/mcp/server.hpp>
#include <partyline/mcp/server/context.hpp>
#include <partyline/mcp/server/prompt.hpp>
#include <partyline/mcp/tool_error.hpp>
#include <partyline/partyline.hpp>
