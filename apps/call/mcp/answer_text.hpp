#pragma once

#include <partyline/mcp/client/answers.hpp>

#include <string>

namespace call {

// What a person reads of what a server answers. The text is as the server has it: what goes to a terminal is to be made
// safe.

/// Texts as they are, and a line in brackets for everything else.
std::string text_of(const partyline::mcp::tool_answer& answer);
/// "user: ..." for each message.
std::string text_of(const partyline::mcp::prompt_answer& answer);
/// Its parts, one after the other, with nothing between them; bytes too.
std::string bytes_of(const partyline::mcp::resource_answer& answer);
/// The same for a terminal: a line in brackets in place of bytes.
std::string text_of(const partyline::mcp::resource_answer& answer);

} // namespace call
