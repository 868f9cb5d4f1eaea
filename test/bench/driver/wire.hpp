#pragma once

#include "support/wire_client/connection.hpp"
#include "support/wire_client/failure.hpp"
#include "support/wire_client/frames.hpp"
#include "support/wire_client/inbox.hpp"
#include "support/wire_client/quote.hpp"

namespace bench {

// The wire client is shared with other test programs. It is not the library's: a peer's figures are not to profit from
// what the library does on the client's side, and the library's own ones are not to be measured by themselves.

using wire_client::append_framed;
using wire_client::connection;
using wire_client::failure;
using wire_client::frame_of;
using wire_client::frame_reader;
using wire_client::framing;
using wire_client::grouped;
using wire_client::inbox;
using wire_client::quote;
using wire_client::reply_reader;
using wire_client::shell_word;
using wire_client::speech;
using wire_client::tls_client;

} // namespace bench
