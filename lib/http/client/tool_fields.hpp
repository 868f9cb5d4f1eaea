#pragma once

#include "http/connections/client_request.hpp"

#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::http {

/// The arguments of tools that a client has to repeat in fields of its requests (2026-07-28): the properties of their
/// schemas are marked with `x-mcp-header`, in the lists of tools that the server has sent. Marks below 32 levels of
/// properties are ignored.
///
/// Cost: linear in the list; the marks of all tools take at most a mebibyte.
/// Thread safety: none.
class tool_fields {
public:
    /// Most marks of one tool: its calls are searched for each of them, and servers bound the fields of a request, too.
    static constexpr std::size_t max_fields = 64;

    /// Reads the marks in the result of a request for tools. Tools with marks that can't be served (wrong ones, or more
    /// than `max_fields`) may not be called: where there are such tools, returns the list without them. The marks of an
    /// endless list are kept in part.
    std::optional<boost::json::value> note_list(json_view result);
    /// Forgets all marks: another list begins.
    void clear() noexcept;
    /// The fields of a call of this tool; `reader` has just read that call.
    std::vector<field_text> fields_for(const std::string& tool, message_reader& reader) const;

private:
    bool note_tool(const boost::json::value& tool);
    void forget(const std::string& tool) noexcept;

    struct mirrored {
        std::string field;
        std::vector<std::string> path;
    };
    struct tool_marks {
        std::vector<mirrored> all;
        std::size_t bytes;
    };
    std::map<std::string, tool_marks, std::less<>> tools_;
    std::size_t bytes_ = 0; // of the marks, roughly
};

} // namespace partyline::http
