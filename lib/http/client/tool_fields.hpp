#pragma once

#include "http/connections/client_request.hpp"

#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::http {

/// Which arguments of tools a client has to repeat in fields of its requests: as the properties of their schemas say
/// that (`x-mcp-header`, 2026-07-28), in the lists of tools that have come by. A mark below 32 levels of properties is
/// none.
///
/// Cost: linear in the list; what is remembered of all tools takes at most a mebibyte.
/// Thread safety: none.
class tool_fields {
public:
    /// Marks of one tool: its call is gone through for each of them, and servers bound the fields of a request as well.
    static constexpr std::size_t max_fields = 64;

    /// The result of a request for a list of tools. Tools that are marked in a way that can't be served (wrongly, or
    /// more than `max_fields` times) may not be used: when there are such, the list without them. Of a list that never
    /// ends a part is remembered.
    std::optional<boost::json::value> note_list(json_view result);
    /// Another list begins.
    void clear() noexcept;
    /// The fields of a call of this tool, which `reader` has read last.
    std::vector<field_text> fields_for(const std::string& tool, message_reader& reader) const;

private:
    bool note_tool(const boost::json::value& tool);

    struct mirrored {
        std::string field;
        std::vector<std::string> path;
    };
    std::map<std::string, std::vector<mirrored>, std::less<>> tools_;
    std::size_t bytes_ = 0; // of them, about
};

} // namespace partyline::http
