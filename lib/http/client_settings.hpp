#pragma once

#include "http/connections/connection_options.hpp"

#include <partyline/http/client_options.hpp>

#include <cstdint>

namespace partyline::http {

/// What a client speaks: which fields of its requests it writes itself.
enum class client_kind : std::uint8_t { json_rpc, mcp, websocket };

/// How a client's connections to an address are made. Throws `std::invalid_argument` for a proxy that is none, for
/// tokens of another server or that others could read, for a field that the client writes itself, and for options that
/// no client can work with.
connection_options connections_of(const client_options& given, const url& to, client_kind kind);

} // namespace partyline::http
