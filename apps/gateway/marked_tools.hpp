#pragma once

#include <partyline/mcp/mirrored_arguments.hpp>
#include <partyline/protocol/json_text.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace gateway {

/// Which arguments of a server's tools clients over HTTP repeat in fields (2026-07-28), as its list of tools has it,
/// once it was asked for that.
///
/// Thread safety: none.
class marked_tools {
public:
    /// `tools/list` was answered so.
    void note_list(const partyline::json_text& result);
    /// Empty where there are none, or none are known.
    partyline::mcp::mirrored_arguments find(std::string_view tool) const;

private:
    std::map<std::string, partyline::mcp::mirrored_arguments, std::less<>> marks_; // of tools that have any
};

} // namespace gateway
