#pragma once

#include <partyline/mcp/client/answers.hpp>
#include <partyline/mcp/client/listed.hpp>
#include <partyline/mcp_extensions/skill.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp::skills {

// What a server answers, read by the rules of SEP-2640. `place` is what errors begin with, such as "skills/list". All
// throw `boost::system::system_error` with client_errc::bad_result, which names the place and what was expected there.

[[noreturn]] void refuse_answer(const std::string& place, const std::string& why);

/// The result of a method as an object.
boost::json::object read_object(const json_text& result, const std::string& place);
/// A list in it.
const boost::json::array& list_in(const boost::json::object& result, std::string_view key, const std::string& place);
/// What to ask for the next page by; null counts as nothing.
std::optional<std::string> next_cursor_in(const boost::json::object& result, const std::string& place);

/// An entry: its URI and frontmatter belong together, its files are below it, each once, and its SKILL.md among them.
skill read_entry(const boost::json::value& entry, const std::string& place);
/// A file or folder as `resources/directory/read` has it.
resource_info read_child(const boost::json::value& child, const std::string& place);
/// The file of that URI in a result of `resources/read`; of several parts the one that has it.
resource_part read_contents(const boost::json::object& result, std::string_view uri, const std::string& place);

} // namespace partyline::mcp::skills
