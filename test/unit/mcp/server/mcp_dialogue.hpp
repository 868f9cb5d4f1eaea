#pragma once

#include "support/dialogue.hpp"

#include <partyline/mcp/server.hpp>

#include <string>
#include <string_view>

namespace partyline::test {

/// A dialogue with an MCP server, whose tools a test adds before it says anything.
struct mcp_dialogue : dialogue {
    mcp::server server{"unit", "1.0"};

    /// The beginning of the legacy era, at a revision, with these capabilities of the client.
    void greet(std::string_view revision = "2025-11-25", std::string_view capabilities = "{}");
    /// Serves without a handshake.
    void begin();

    /// Calls a tool in the legacy era.
    void call(std::string_view id, std::string_view tool, std::string_view arguments = "{}",
              std::string_view meta = {});
    /// The same of 2026-07-28: `others` are further members of the params, each behind a comma.
    void call_modern(std::string_view id, std::string_view tool, std::string_view arguments = "{}",
                     std::string_view capabilities = "{}", std::string_view others = {});
    /// Another method of 2026-07-28. `members` are those of the params besides `_meta`.
    void say_modern(std::string_view id, std::string_view method, std::string_view members = {},
                    std::string_view capabilities = "{}");

    /// What a line is answered with.
    std::string answer_to(std::string_view line);
    /// The same of a method of 2026-07-28, with the id 1.
    std::string answer_modern(std::string_view method, std::string_view members = {},
                              std::string_view capabilities = "{}");
};

/// A result that has one text, as of revisions before 2026-07-28.
std::string text_result(std::string_view id, std::string_view text);
std::string text_failure(std::string_view id, std::string_view text);
/// The same as of 2026-07-28.
std::string modern_text(std::string_view id, std::string_view text);
std::string modern_result(std::string_view id, std::string_view members);

/// The member `name` of the result in a reply, as text: of a string without its quotes.
std::string result_member(std::string_view reply, std::string_view name);

} // namespace partyline::test
