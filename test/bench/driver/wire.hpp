#pragma once

#include "support/wire_client/connection.hpp"
#include "support/wire_client/failure.hpp"
#include "support/wire_client/quote.hpp"

namespace bench {

// The wire client is shared with other test programs. It is not the library's: a peer's figures are not to profit from
// what the library does on the client's side, and the library's own ones are not to be measured by themselves.
using namespace wire_client;

} // namespace bench
