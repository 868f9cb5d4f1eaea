#pragma once

#include <partyline/rpc/method_table.hpp>

#include <memory>

namespace partyline::test {

/// A language server of which each method answers before the next message is looked at.
const std::shared_ptr<const method_table>& plain_lsp_methods();

/// One that reports its work, calls the client back, and waits for both.
const std::shared_ptr<const method_table>& all_lsp_methods();

} // namespace partyline::test
