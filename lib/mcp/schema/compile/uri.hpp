#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace partyline::mcp::detail {

/// What a reference names, and what stands behind its first `#`.
std::pair<std::string_view, std::string_view> split_fragment(std::string_view uri) noexcept;

/// The reference, without a fragment, as seen from `base` (RFC 3986, 5.2).
std::string resolve_uri(std::string_view base, std::string_view reference);

} // namespace partyline::mcp::detail
