#pragma once

#include <string>
#include <string_view>

namespace partyline::mcp::skills {

/// What a file is, by the end of its name; else that of a text, or of bytes.
std::string mime_type_of(std::string_view path, bool is_text);

} // namespace partyline::mcp::skills
