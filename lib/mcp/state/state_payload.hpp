#pragma once

#include "mcp/state/request_state.hpp"

namespace partyline::mcp {

/// What stands in a sealed state. Names are digests: so a long one takes no room, and the client sees none that it did
/// not send itself.
struct state_payload {
    std::int64_t expiry = 0; // milliseconds since 1970
    std::string method;
    std::string name; // this and the next two: digests as base64url
    std::string arguments;
    std::string principal;
    round_memo kept;
};

/// All but the expiry and what is kept.
state_payload bound_payload(const state_binding& binding);

/// As JSON text {v, exp, m, n, d, p, r, memo, state}. Throws `unsealable_state` for what is not JSON.
std::string write_payload(const state_payload& payload, std::size_t max_depth);

/// Nothing of a text that is not of this form.
std::optional<state_payload> read_payload(std::string_view text, std::size_t max_depth);

} // namespace partyline::mcp
