#pragma once

#include "fleet/front/front_core.hpp"

#include <partyline/fleet/fleet_call.hpp>
#include <partyline/fleet/front_options.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/call_result.hpp>

#include <optional>
#include <string>

namespace partyline::fleet {

/// A call as the rules of a front take it: with the message that a worker gets. Nothing where its params are none.
std::optional<new_call> make_call(fleet_call what, const front_options& options);

/// The peer, as a worker is told; nothing where there is none, or none with a principal.
std::optional<calling_peer> calling_peer_of(const peer_identity* who);
/// The name by which calls of this peer are counted together: of an address, that of its origin. Empty where nothing is
/// known of it.
std::string client_of(const peer_identity& who);

/// What a worker has answered; an error where that is no reply.
response read_answer(const std::string& text, message_reader& reader);

} // namespace partyline::fleet
