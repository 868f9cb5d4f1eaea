#pragma once

#include <partyline/config.hpp>
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

/// Contents of a resource, as text.
struct text_resource {
    /// The text, in UTF-8.
    std::string text;
    /// The media type. Empty: that of the resource, `resource_options::mime_type`, or else "text/plain".
    std::string mime_type = {};
    /// The resource's URI. Empty: the one that was requested.
    std::string uri = {};
};

/// Contents of a resource, as bytes, which are sent in Base64.
struct blob_resource {
    /// The bytes themselves.
    std::string bytes;
    /// The media type. Empty: that of the resource, `resource_options::mime_type`, or else "application/octet-stream".
    std::string mime_type = {};
    /// The resource's URI. Empty: the one that was requested.
    std::string uri = {};
};

/// Contents of a resource: text or bytes.
using resource_contents = std::variant<text_resource, blob_resource>;

/// A text, for the model to read.
struct text_content {
    /// The text, in UTF-8.
    std::string text;
};
/// A picture.
struct image_content {
    /// The picture itself; it travels in Base64.
    std::string bytes;
    /// "image/png" and the like.
    std::string mime_type;
};
/// A sound (since 2025-03-26).
struct audio_content {
    /// The sound itself; it travels in Base64.
    std::string bytes;
    /// "audio/wav" and the like.
    std::string mime_type;
};
/// A link to a resource, which the client may read or not.
struct resource_link {
    /// The URI to read the resource by.
    std::string uri;
    /// The name of the resource.
    std::string name;
    /// The title that is shown to people in place of the name; left out when empty.
    std::string title = {};
    /// The description; left out when empty.
    std::string description = {};
    /// The media type; left out when empty.
    std::string mime_type = {};
    std::optional<std::uint64_t> size = {}; ///< in bytes
    /// The icons; left out when there are none.
    std::vector<icon> icons = {};
};
/// Embeds the contents of a resource, whose `uri` is not empty.
struct embedded_resource {
    /// The contents.
    resource_contents resource;
};

/// One block of a tool's result or of a prompt's message. Where the revision does not have the kind of block, a text
/// that says so is sent in its place.
struct content {
    /// The kinds of blocks.
    using block_type = std::variant<text_content, image_content, audio_content, resource_link, embedded_resource>;

    /// The block itself.
    block_type block;
    /// Hints for the client about the block; left out when they are empty.
    mcp::annotations annotations = {};
    boost::json::object meta = {}; ///< `_meta`

    content() = default;
    /// A text.
    content(std::string text) : block(text_content{std::move(text)}) {}
    /// A text.
    content(std::string_view text) : content(std::string(text)) {}
    /// A text.
    content(const char* text) : content(std::string(text)) {}
    /// A block of any other kind.
    template <class Block>
        requires std::constructible_from<block_type, Block> && (!std::same_as<std::remove_cvref_t<Block>, content>) &&
                 (!std::convertible_to<Block, std::string_view>)
    content(Block&& from) : block(std::forward<Block>(from))
    {
    }
};

/// The result of a tool call, piece by piece. Most handlers return something simpler: see `server::add_tool`.
struct PARTYLINE_EXPORT tool_result {
    /// The content for the model, in its order.
    std::vector<mcp::content> content = {};
    /// The result for programs. Before 2026-07-28 it is an object: any other value becomes the member `result` of one.
    /// Left out before 2025-06-18.
    std::optional<json_text> structured = {};
    /// Whether the call has failed; then `content` tells the model why.
    bool is_error = false;
    boost::json::object meta = {}; ///< `_meta`

    /// The texts among its content, a line each.
    std::string text() const;
};

} // namespace partyline::mcp
