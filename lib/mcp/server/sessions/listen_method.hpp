#pragma once

#include <partyline/session/handler.hpp>

#include <memory>

namespace partyline::mcp {

class catalogue;

/// `subscriptions/listen` (2026-07-28): a request that tells of changes until it is cancelled, or input ends.
std::unique_ptr<method> make_listen_method(const catalogue& of);

} // namespace partyline::mcp
