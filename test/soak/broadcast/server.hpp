#pragma once

namespace partyline::test {

/// Serves sessions over WebSocket and MCP on a port, whose number is written first. For each line on standard input all
/// of them are told; a line says how many that were. At the end of input a line says how many notifications sessions
/// have missed.
int serve_broadcasts();

} // namespace partyline::test
