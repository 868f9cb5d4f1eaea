#pragma once

#include <partyline/mcp/description.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/object.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace partyline::mcp {

/// What a resource has in it, as text. `uri`: empty means the one that was asked for.
struct text_resource {
    std::string text;
    std::string mime_type = "text/plain";
    std::string uri = {};
};

/// The same as bytes, which travel in Base64.
struct blob_resource {
    std::string bytes;
    std::string mime_type = "application/octet-stream";
    std::string uri = {};
};

using resource_contents = std::variant<text_resource, blob_resource>;

struct text_content {
    std::string text;
};
/// `bytes` are the picture or the sound itself; they travel in Base64.
struct image_content {
    std::string bytes;
    std::string mime_type;
};
struct audio_content {
    std::string bytes;
    std::string mime_type;
};
/// Names a resource that the client may read, or not.
struct resource_link {
    std::string uri;
    std::string name;
    std::string title = {};
    std::string description = {};
    std::string mime_type = {};
    std::optional<std::uint64_t> size = {}; ///< in bytes
    std::vector<icon> icons = {};
};
/// Has the resource in it. Its `uri` is not empty.
struct embedded_resource {
    resource_contents resource;
};

/// One block of what a tool returns, or of what a prompt says. In a revision that does not know its kind a text stands
/// in its place, which says so.
struct content {
    using block_type = std::variant<text_content, image_content, audio_content, resource_link, embedded_resource>;

    block_type block;
    mcp::annotations annotations = {};
    boost::json::object meta = {}; ///< `_meta`

    content() = default;
    content(std::string text) : block(text_content{std::move(text)}) {}
    content(std::string_view text) : content(std::string(text)) {}
    content(const char* text) : content(std::string(text)) {}
    template <class Block>
        requires std::constructible_from<block_type, Block> && (!std::same_as<std::remove_cvref_t<Block>, content>) &&
                 (!std::convertible_to<Block, std::string_view>)
    content(Block&& from) : block(std::forward<Block>(from))
    {
    }
};

/// What a tool call comes to, piece by piece. Handlers mostly return something simpler: see `server::add_tool`.
struct tool_result {
    std::vector<mcp::content> content = {};
    /// The result for programs. Before 2026-07-28 it is an object: what is none becomes the member `result` of one. Left out
    /// before 2025-06-18.
    std::optional<json_text> structured = {};
    /// The call has failed, and `content` tells the model why.
    bool is_error = false;
    boost::json::object meta = {}; ///< `_meta`

    /// The texts among its content, a line each.
    std::string text() const;
};

} // namespace partyline::mcp
