#pragma once

#include "http/connections/connection_options.hpp"

#include <partyline/http/client_options.hpp>

namespace partyline::http {

/// How a client's connections to an address are made. Throws `std::invalid_argument` for a proxy that is none, for
/// tokens of another server or that others could read, and for options that no client can work with.
connection_options connections_of(const client_options& given, const url& to);

} // namespace partyline::http
