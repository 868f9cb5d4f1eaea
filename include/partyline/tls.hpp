#pragma once

/// All that is needed to talk over TLS.

#include <partyline/tls/connect.hpp>
#include <partyline/tls/error.hpp>
