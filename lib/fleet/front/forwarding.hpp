#pragma once

#include "fleet/front/front_service.hpp"

#include <partyline/session/handler.hpp>

#include <memory>

namespace partyline::fleet {

/// Methods that pass everything on by a front. They may outlive it: then they answer that it is closing.
std::shared_ptr<const dispatcher> make_forwarding(std::weak_ptr<front_service> by);

} // namespace partyline::fleet
