#pragma once

#include <partyline/rpc/method_table.hpp>

namespace echo {

/// What the sample server offers besides where it is a language server: `initialize`, and two methods for trying
/// clients.
void add_lsp_methods(partyline::method_table& methods);

} // namespace echo
