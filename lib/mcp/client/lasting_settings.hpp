#pragma once

#include <partyline/mcp/client/client_questions.hpp>
#include <partyline/mcp/log_level.hpp>

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace partyline::mcp {

/// What a client was told while it ran, and what the next one is told again that takes its place.
/// Thread safety: safe.
class lasting_settings {
public:
    struct values {
        std::optional<mcp::log_level> log_from;
        std::optional<std::vector<root>> roots; // where they were changed
        std::set<std::string> subscriptions;    // by URI
    };

    values get() const;
    std::optional<mcp::log_level> log_from() const;

    void log_from(mcp::log_level least);
    void use_roots(std::vector<root> changed) noexcept;
    void subscribe(std::string uri);
    void unsubscribe(const std::string& uri);

private:
    mutable std::mutex mutex_;
    values now_;
};

} // namespace partyline::mcp
