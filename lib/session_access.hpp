#pragma once

#include "transport/session_driver.hpp"

#include <partyline/session.hpp>

#include <memory>
#include <utility>

namespace partyline::detail {

/// Makes a session of what carries it, and tells what that is.
struct session_access {
    static session make(std::shared_ptr<session_driver> driver) noexcept { return session(std::move(driver)); }
    static const std::shared_ptr<session_driver>& driver_of(const session& one) noexcept { return one.driver_; }
};

} // namespace partyline::detail
