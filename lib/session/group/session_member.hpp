#pragma once

#include "session/group/group_member.hpp"

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

    const std::shared_ptr<session_link> to_;
};

} // namespace partyline
