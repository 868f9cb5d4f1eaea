#pragma once

namespace partyline {
class method_table;
}

namespace partyline::mcp {

class catalogue;

/// Adds `subscriptions/listen` (2026-07-28): a request that tells of changes until it is cancelled, or input ends.
void add_listen_method(method_table& to, const catalogue& of);

} // namespace partyline::mcp
