#pragma once

#include "session/group/group_member.hpp"

#include <partyline/session/session_link.hpp>

#include <memory>
#include <utility>

namespace partyline {

/// A session of a group, which is told on its own executor.
class session_member final : public session_group::member {
public:
    session_member(std::shared_ptr<session_link> to, const session_group_options& how,
                   std::shared_ptr<session_group::counters> counted)
        : member(how, std::move(counted)), to_(std::move(to))
    {
    }

    bool is_open() const noexcept override { return to_->is_open(); }
    std::shared_ptr<session_link> link() const noexcept override { return to_; }

private:
    bool wake() override;
    void deliver(live_session& now);
    void send(const broadcast_text& what, live_session& now);

    const std::shared_ptr<session_link> to_;
};

} // namespace partyline
