#pragma once

#include <partyline/rpc/method_table.hpp>

namespace echo {

/// Adds the method `ask {question}` and the notification `answer {id, value}` that it waits for.
void add_ask(partyline::method_table& methods);

} // namespace echo
