#pragma once

#include <boost/describe/enum.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace partyline::mcp {

/// A picture that a client may show beside a name.
struct icon {
    std::string src; ///< an https: or data: URI
    /// The media type; left out when empty.
    std::string mime_type = {};
    std::vector<std::string> sizes = {}; ///< "48x48", "any"
    std::string theme = {};              ///< "light", "dark", or empty for both
};

/// The name and the version of a client or a server.
struct implementation {
    /// The name for programs.
    std::string name;
    /// The version: any text, mostly of the form 1.2.3.
    std::string version;
    /// The title that is shown to people in place of the name; left out when empty.
    std::string title = {};
    /// The description; left out when empty.
    std::string description = {};
    /// The icons; left out when there are none.
    std::vector<icon> icons = {};
    /// The address of a page about it; left out when empty.
    std::string website_url = {};
};

/// The recipient of a piece of content, or the author of a message.
enum class role : std::uint8_t { user, assistant };
BOOST_DESCRIBE_ENUM(role, user, assistant)

/// Hints for the client about a piece of content.
struct annotations {
    /// The recipients it is meant for; empty: unspecified.
    std::vector<role> audience = {};
    std::optional<double> priority = {}; ///< from 0 to 1
    std::string last_modified = {};      ///< ISO 8601

    /// Whether all members are empty.
    bool empty() const noexcept { return audience.empty() && !priority && last_modified.empty(); }
};

} // namespace partyline::mcp
