#pragma once

#include "http/connections/connection_options.hpp"

#include <partyline/http/client_options.hpp>

namespace partyline::http {

/// How a client's connections are made. Throws `std::invalid_argument` for a proxy that is none, and for options that
/// no client can work with.
connection_options connections_of(const client_options& given);

} // namespace partyline::http
