#pragma once

// All that is needed to serve over HTTP.

#include <partyline/http/server.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/task.hpp>
