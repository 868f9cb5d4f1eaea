#pragma once

#include <partyline/rpc/method_table.hpp>

#include <memory>

namespace partyline::test {

/// Methods that answer at once or not before input has ended, so that what they answer does not depend on when their
/// requests arrive.
const std::shared_ptr<const method_table>& steady_methods();

/// The same, and others that wait to be cancelled, or take a turn of the executor.
const std::shared_ptr<const method_table>& all_methods();

} // namespace partyline::test
