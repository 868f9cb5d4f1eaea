#pragma once

#include "session/group/group_member.hpp"

#include <partyline/session/session_link.hpp>

#include <memory>
#include <utility>

namespace partyline {

/// A session in a group, which sends on its own executor.
class session_member final : public group_member {
public:
    session_member(std::shared_ptr<session_link> to, std::shared_ptr<group_facts> of)
        : group_member(std::move(of)), to_(std::move(to))
    {
    }

    bool is_open() const noexcept override { return to_->is_open(); }
    std::shared_ptr<session_link> link() const noexcept override { return to_; }

private:
    bool wake() override;
    void give_up() override;
    void deliver(live_session& now);
    void pass_on(const broadcast_text& what, live_session& now, bool goes_on_then);

    std::shared_ptr<session_member> shared_from_base()
    {
        return std::static_pointer_cast<session_member>(shared_from_this());
    }

    const std::shared_ptr<session_link> to_;
};

} // namespace partyline
