#pragma once

#include "fleet/front/front_service.hpp"

#include <partyline/session/handler.hpp>
#include <partyline/session/task.hpp>

#include <functional>
#include <memory>
#include <string_view>

namespace partyline::fleet {

/// Whether a client is told what a worker tells it.
using notification_filter = std::function<bool(std::string_view method, const json_text& params)>;

/// The call of a request.
fleet_call call_of(request_context& context, json_text params);
/// See `front::forward`.
task<response> forward(std::weak_ptr<front_service> to, request_context& context, fleet_call call,
                       notification_filter passes);

/// Methods that pass everything on by a front. They may outlive it: then they answer that it is closing.
std::shared_ptr<const dispatcher> make_forwarding(std::weak_ptr<front_service> by);

} // namespace partyline::fleet
