#pragma once

#include <partyline/mcp/content.hpp>
#include <partyline/mcp/revision.hpp>
#include <partyline/mcp/server/prompt.hpp>
#include <partyline/protocol/byte_buffer.hpp>

#include <string_view>
#include <vector>

namespace partyline::mcp {

// Content as JSON text, as a revision has it: what that does not know is a text in its place. Text that is not UTF-8 is
// made so.

void write_content(byte_buffer& out, const content& of, revision r);
/// An array of it.
void write_contents(byte_buffer& out, const std::vector<content>& all, revision r);
/// A block of text alone, which most results are.
void write_text_content(byte_buffer& out, std::string_view text);

/// What a resource has in it. `uri` and `mime_type` are for what says none of its own.
void write_resource(byte_buffer& out, const resource_contents& of, std::string_view uri, std::string_view mime_type);

/// `{"role":..,"content":..}`
void write_message(byte_buffer& out, const prompt_message& of, revision r);

} // namespace partyline::mcp
