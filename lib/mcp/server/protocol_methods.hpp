#pragma once

#include <partyline/session/handler.hpp>

#include <memory>
#include <vector>

namespace partyline::mcp {

class catalogue;

/// The methods that the protocol itself has, as far as there is something for them in a catalogue, to which their
/// handlers refer: lists, completion, subscriptions, and those that stand for what the server offers.
std::vector<std::unique_ptr<method>> make_protocol_methods(const catalogue& of);

/// One that says that there is no memory.
std::unique_ptr<method> make_failing_method();

} // namespace partyline::mcp
