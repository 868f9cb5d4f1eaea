#pragma once

#include <partyline/config.hpp>

#include <string>
#include <string_view>

namespace partyline::mcp {

/// The key that an access view is asked for a resource by: its URI, percent-decoded, as the values of a template are,
/// so that all spellings of one value have one key. A URI that can't be decoded is its own key.
PARTYLINE_EXPORT std::string resource_key(std::string_view uri);

} // namespace partyline::mcp
