#pragma once

#include "fleet/front/front_service.hpp"

#include <partyline/fleet/fleet_session_options.hpp>
#include <partyline/session.hpp>
#include <partyline/session/served_methods.hpp>

#include <memory>

namespace partyline::fleet {

/// See `front::open_session`.
session make_session(const std::shared_ptr<front_service>& by, const served_methods& methods,
                     fleet_session_options options);

} // namespace partyline::fleet
