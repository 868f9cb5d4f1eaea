#pragma once

#include <cstdint>

namespace partyline::tls {

/// Versions of TLS. What is older is broken, and is not here.
enum class version : std::uint8_t { tls_1_2, tls_1_3 };

} // namespace partyline::tls
