#pragma once

#include "transport/session_driver.hpp"

#include <partyline/session.hpp>

#include <memory>
#include <utility>

namespace partyline::detail {

/// Makes a session of what carries it, and gives what carries a session.
struct session_access {
    static session make(std::shared_ptr<session_driver> driver) noexcept { return session(std::move(driver)); }
    static const session_driver& driver(const session& of) noexcept { return *of.driver_; }
};

} // namespace partyline::detail
