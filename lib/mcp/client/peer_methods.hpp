#pragma once

#include <partyline/session/handler.hpp>

#include <memory>

namespace partyline::mcp {

class client_core;

/// What a server may call and tell: questions before 2026-07-28, where it has been told that it may ask them, and
/// notifications of all revisions. `of` may go before it.
std::shared_ptr<const dispatcher> make_peer_methods(client_core& of);

} // namespace partyline::mcp
