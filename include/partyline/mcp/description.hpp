#pragma once

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace partyline::mcp {

/// A picture that a client may show beside a name.
struct icon {
    std::string src; ///< an https: or data: URI
    std::string mime_type = {};
    std::vector<std::string> sizes = {}; ///< "48x48", "any"
    std::string theme = {};              ///< "light", "dark", or empty for both
};

/// Who a client or a server is.
struct implementation {
    std::string name;
    std::string version;
    std::string title = {};
    std::string description = {};
    std::vector<icon> icons = {};
    std::string website_url = {};
};

/// Who something is meant for, or who speaks.
enum class role : std::uint8_t { user, assistant };

/// What a client may make of a piece of content.
struct annotations {
    std::vector<role> audience = {};
    std::optional<double> priority = {}; ///< from 0 to 1
    std::string last_modified = {};      ///< ISO 8601

    bool empty() const noexcept { return audience.empty() && !priority && last_modified.empty(); }
};

} // namespace partyline::mcp
