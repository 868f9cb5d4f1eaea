#pragma once

#include <partyline/mcp/revision.hpp>
#include <partyline/mcp/testing/test_records.hpp>
#include <partyline/session/message_event.hpp>

#include <string>
#include <vector>

namespace partyline::mcp {

/// All messages of a conversation, as the client's session sees them.
class message_log {
public:
    void note(const message_event& event);
    /// The client has declared some.
    void expect_extensions() noexcept { has_extensions_ = true; }

    const std::vector<seen_message>& all() const noexcept { return all_; }
    /// A line for each one that does not fit the published schema of the revision.
    std::vector<std::string> problems(revision r) const;

private:
    std::vector<seen_message> all_;
    bool has_extensions_ = false;
};

} // namespace partyline::mcp
