#include "mcp/wire/resource_key.hpp"

#include "mcp/wire/percent_encoding.hpp"

#include <optional>
#include <utility>

namespace partyline::mcp {

std::string resource_key(std::string_view uri)
{
    std::optional<std::string> decoded = percent_decode(uri);
    return decoded ? *std::move(decoded) : std::string(uri);
}

} // namespace partyline::mcp
