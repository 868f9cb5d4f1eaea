#pragma once

#include "http/wire/url.hpp"

#include <string>

namespace partyline::http {

/// Reads the address of a proxy: "http://proxy.example:3128", of which the scheme may be left out, as it is in the
/// environment's variables. Throws `std::invalid_argument` for what is none.
url read_proxy(std::string text);

} // namespace partyline::http
