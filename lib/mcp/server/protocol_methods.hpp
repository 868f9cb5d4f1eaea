#pragma once

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/handler.hpp>

#include <vector>

namespace partyline::mcp {

class catalogue;

/// The methods that the protocol itself has, as far as there is something for them in a catalogue, to which their
/// handlers refer: lists, completion, subscriptions.
method_table make_protocol_methods(const catalogue& of);

/// The names that stand for what the server offers: tools, resources and prompts. Their own handlers are for requests
/// that mean none of it.
std::vector<method> make_groups(const catalogue& of);

/// A method that says that there is no memory.
method make_failing_method();

} // namespace partyline::mcp
