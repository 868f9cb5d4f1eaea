#pragma once

#include "session/group/group_member.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace partyline {

/// The members of a group. Shared by the group and by the requests in it.
/// Thread safety: safe.
class group_state {
public:
    explicit group_state(const session_group_options& how) : facts_(std::make_shared<group_facts>(how)) {}

    const std::shared_ptr<group_facts>& facts() const noexcept { return facts_; }

    /// `key`: of a session its link, of a request itself. False: there is one with this key, or there are as many
    /// requests as may.
    bool insert(const void* key, std::shared_ptr<group_member> added);
    bool erase(const void* key) noexcept;
    std::size_t send(const broadcast_ptr& what, const void* except);

    std::vector<std::shared_ptr<session_link>> sessions() const;
    std::size_t size() const;

private:
    void forget_ended() noexcept;

    const std::shared_ptr<group_facts> facts_;
    mutable std::mutex mutex_;
    std::map<const void*, std::shared_ptr<group_member>> members_;
    std::size_t requests_ = 0;  // of them
    std::size_t forget_at_ = 0; // with so many members those that have ended are looked for
};

} // namespace partyline
