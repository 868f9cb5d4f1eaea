#pragma once

#include "mcp/server/sessions/change_listener.hpp"
#include "mcp/server/sessions/topic.hpp"

#include <partyline/mcp/server/listen_topic.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::mcp {

/// The state that copies of an extension's topic share: which sessions listen to which key.
///
/// Thread safety: safe. What a publication costs depends on how many listen to its key, and on how many listeners their
/// sessions have.
class topic_core final : public std::enable_shared_from_this<topic_core> {
public:
    /// Throws `std::invalid_argument` as `listen_topic` does.
    topic_core(std::string member, std::string notification, listen_topic_options how);

    const topic& names() const noexcept { return names_; }
    bool may_listen(const request_context& rpc, const std::string& key) const;
    bool has_listener(std::string_view key);
    void publish(std::string_view key, const call_params& params);

    /// Adds a listener, which is known by its address, of a session. The key's text stays valid until `leave`.
    void join(std::string_view key, const topic_listener& who, std::shared_ptr<change_listener> session);
    /// Removes it. Does nothing for one that has not joined.
    void leave(std::string_view key, const topic_listener& who) noexcept;

private:
    using place = std::pair<std::string_view, const topic_listener*>;

    std::vector<std::shared_ptr<change_listener>> sessions_of(std::string_view key);

    const std::string member_;
    const std::string notification_;
    const listen_topic_options how_;
    const topic names_;
    std::mutex mutex_; // of what follows
    std::map<place, std::shared_ptr<change_listener>> listening_;
};

} // namespace partyline::mcp
