#pragma once

#include <partyline/mcp/mirrored_arguments.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/value.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace gateway {

/// What a server's list of tools says of them, once it was asked for that.
///
/// Thread safety: none.
class listed_tools {
public:
    /// `tools/list` was answered so.
    void note_list(const partyline::json_text& result);
    /// Which arguments of a tool clients over HTTP repeat in fields (2026-07-28). Empty where there are none, or none
    /// are known.
    partyline::mcp::mirrored_arguments mirrored(std::string_view tool) const;
    /// Whether a call of it may run twice: it only reads, or a second call changes nothing. False where that is not
    /// known.
    bool is_idempotent(std::string_view tool) const;

private:
    struct traits {
        partyline::mcp::mirrored_arguments mirrored;
        bool is_idempotent = false;
    };
    static traits traits_of(const boost::json::value& tool);

    std::map<std::string, traits, std::less<>> tools_; // that differ from what is assumed of any
};

} // namespace gateway
