#pragma once

/// All that is needed to serve over HTTP, and to call servers over it.

#include <partyline/http/client.hpp>
#include <partyline/http/client_errc.hpp>
#include <partyline/http/document_fetcher.hpp>
#include <partyline/http/document_sender.hpp>
#include <partyline/http/event_store.hpp>
#include <partyline/http/mcp_client.hpp>
#include <partyline/http/oauth_client.hpp>
#include <partyline/http/server.hpp>
#include <partyline/http/token_source.hpp>
#include <partyline/http/websocket_client.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/task.hpp>
