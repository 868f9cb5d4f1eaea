#pragma once

#include <partyline/mcp/revision.hpp>
#include <partyline/mcp/server/listen_topic.hpp>

#include <vector>

namespace partyline::mcp {

/// The options of a server's extension: see `server::add_extension`.
struct extension_options {
    /// The first revision that the extension is for: under earlier ones it is not declared, and its methods do not
    /// exist.
    revision since = revision::v2024_11_05;
    /// Whether the methods are only for clients that have declared the extension: others are answered -32021 (before
    /// 2026-07-28: -32602), with the name of the extension. A method that is hidden from a client does not exist for
    /// that client, whatever it has declared.
    bool needs_client = false;
    /// The topics of the extension. Only clients that have declared the extension may listen, also where `needs_client`
    /// is false.
    std::vector<listen_topic> topics = {};
};

} // namespace partyline::mcp
