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
    /// Left out when empty.
    std::string mime_type = {};
    std::vector<std::string> sizes = {}; ///< "48x48", "any"
    std::string theme = {};              ///< "light", "dark", or empty for both
};

/// Who a client or a server is.
struct implementation {
    /// For programs.
    std::string name;
    /// Any text; most say it as 1.2.3.
    std::string version;
    /// What people are shown in place of the name; left out when empty.
    std::string title = {};
    /// Left out when empty.
    std::string description = {};
    /// Left out when there are none.
    std::vector<icon> icons = {};
    /// Left out when empty.
    std::string website_url = {};
};

/// Who something is meant for, or who speaks.
enum class role : std::uint8_t { user, assistant };
BOOST_DESCRIBE_ENUM(role, user, assistant)

/// What a client may make of a piece of content.
struct annotations {
    /// Whom it is for; empty: nothing is said of that.
    std::vector<role> audience = {};
    std::optional<double> priority = {}; ///< from 0 to 1
    std::string last_modified = {};      ///< ISO 8601

    /// Whether it says nothing.
    bool empty() const noexcept { return audience.empty() && !priority && last_modified.empty(); }
};

} // namespace partyline::mcp
