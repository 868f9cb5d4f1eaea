#pragma once

#include <partyline/rpc/method_table.hpp>

#include <memory>

namespace partyline::test {

/// Methods that answer without waiting for anything but their turn.
std::shared_ptr<const dispatcher> prompt_http_methods();

/// The same, and one that waits until it is cancelled.
std::shared_ptr<const dispatcher> all_http_methods();

} // namespace partyline::test
