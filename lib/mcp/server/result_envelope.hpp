#pragma once

#include "mcp/server/server_facts.hpp"

#include <partyline/protocol/byte_buffer.hpp>

#include <chrono>
#include <optional>
#include <string_view>

namespace partyline::mcp {

/// For how long a client may keep a result, and whether for others, too.
struct cache_rule {
    std::chrono::milliseconds lifetime{};
    bool is_public = false;
};

/// What a result says of itself from 2026-07-28 on.
struct result_envelope {
    std::string_view type = "complete";
    std::optional<cache_rule> cache = {};
    std::string_view meta_members = {}; // of its `_meta`, besides who the server is
};

/// Puts it at the end of a result, an object that has been written.
void add_envelope(byte_buffer& result, const result_envelope& of, const server_facts& by);

} // namespace partyline::mcp
