#pragma once

#include <partyline/rpc/method_table.hpp>

#include <any>

namespace echo {

/// What a session's `session_options::user_data` has to be for this: a new one for each.
std::any make_session_data();

/// Adds the method `ask {question}` and the notification `answer {id, value}` that it waits for.
void add_ask(partyline::method_table& methods);

} // namespace echo
