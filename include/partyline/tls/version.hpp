#pragma once

#include <cstdint>

namespace partyline::tls {

/// Versions of TLS. Older versions are broken, and are left out.
enum class version : std::uint8_t { tls_1_2, tls_1_3 };

} // namespace partyline::tls
