#pragma once

/// Everything that the author of a server on standard input and output needs, and the author of a client, apart from
/// its transport: transport/child_process.hpp for a server that the client starts, connect.hpp for a server that
/// listens, supervisor.hpp for a server that is restarted. Besides: server.hpp for a server on sockets,
/// session/session_group.hpp for broadcasts to many clients, transport/stdio_stream.hpp for a session on standard input
/// and output in an application of another kind, testing.hpp for tests of handlers, lsp/lsp.hpp.

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/request_id.hpp>
#include <partyline/rpc/json_schema.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/rpc/notes.hpp>
#include <partyline/rpc/to_json.hpp>
#include <partyline/rpc/tracing.hpp>
#include <partyline/rpc/whole_params.hpp>
#include <partyline/run_stdio.hpp>
#include <partyline/session.hpp>
#include <partyline/session/clean_up.hpp>
#include <partyline/session/message_event.hpp>
#include <partyline/session/on.hpp>
#include <partyline/session/peer_wait.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/served_event.hpp>
#include <partyline/session/session_counters.hpp>
#include <partyline/session/session_options.hpp>
#include <partyline/transport/memory_stream.hpp>
