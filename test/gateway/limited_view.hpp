#pragma once

#include <partyline/session/access_view.hpp>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::test {

/// Allows the methods that need no right, and what is named or begins with what is named; asks for the scope "admin"
/// for what begins with "admin".
struct limited_view final : access_view {
    explicit limited_view(std::vector<std::string> open) : open_(std::move(open)) {}

    access_verdict judge(std::string_view method, std::string_view key) const noexcept override
    {
        const std::string_view name = key.empty() ? method : key;
        if (name.starts_with("admin"))
            return {access_answer::lacks_scope, scopes_};
        for (const std::string& one : open_)
            if (name.starts_with(one))
                return {access_answer::allowed, {}};
        const bool is_free = key.empty() && (free_.contains(name) || name.starts_with("notifications/"));
        return {is_free ? access_answer::allowed : access_answer::hidden, {}};
    }

private:
    const std::vector<std::string> open_;
    const std::vector<std::string> scopes_{"admin"};
    const std::set<std::string, std::less<>> free_{"initialize",
                                                   "server/discover",
                                                   "ping",
                                                   "logging/setLevel",
                                                   "tools/list",
                                                   "prompts/list",
                                                   "resources/list",
                                                   "rpc.discover",
                                                   "completion/complete",
                                                   "resources/templates/list",
                                                   "subscriptions/listen",
                                                   "resources/subscribe",
                                                   "resources/unsubscribe"};
};

} // namespace partyline::test
