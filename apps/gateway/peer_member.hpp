#pragma once

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/session/peer_identity.hpp>

namespace gateway {

/// The member of `_meta` by which a gateway tells a server who has sent a request.
inline constexpr std::string_view peer_member = "partyline/peer";

/// Whether params say who has sent them, which is not for clients to say: some reader may take a member for that.
bool has_peer_member(partyline::json_view params);
/// What a request is answered that does.
partyline::error_object peer_member_refusal();

/// The params that tell who has sent them. Throws `rpc_error` -32602 for those that can't: arrays, and objects in which
/// it is not clear what `_meta` is, or that is no object.
partyline::json_text with_peer(const partyline::json_text& params, const partyline::peer_identity& peer);

} // namespace gateway
