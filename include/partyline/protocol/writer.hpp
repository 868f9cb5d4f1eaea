#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace partyline {

/// The reason why a value has no JSON text.
struct unwritable {
    /// JSON pointer to the place, "" for the whole.
    std::string where;
    /// The problem in plain words: "a number that is not finite", "text that is not UTF-8", "nested deeper than 128",
    /// "not JSON".
    std::string reason;
};

/// Appends `value` as JSON text. Nothing that is not JSON is ever written: on failure `out` is as it was.
/// Recurses as deep as the value, to `max_depth` at most.
PARTYLINE_EXPORT std::optional<unwritable> write_value(byte_buffer& out, const boost::json::value& value,
                                                       std::size_t max_depth);

/// Appends ready JSON text, which is checked first unless `text.is_checked()`; line breaks in it become blanks. On
/// failure `out` is as it was, and `where` is "byte N". Checked text that is empty is null.
PARTYLINE_EXPORT std::optional<unwritable> write_text(byte_buffer& out, const json_text& text, std::size_t max_depth);
/// Appends the text of a view, which is known to be valid; null for an empty one.
PARTYLINE_EXPORT void write_text(byte_buffer& out, json_view text);

/// Appends `text` as a JSON string. Bytes that are not UTF-8 become U+FFFD.
PARTYLINE_EXPORT void write_string(byte_buffer& out, std::string_view text);

/// Replaces every byte that is not part of well-formed UTF-8 by U+FFFD, for handlers that return text they did not
/// make.
PARTYLINE_EXPORT std::string to_valid_utf8(std::string_view text);

// Whole messages. `id` is an id's exact text. `params` and `result` are appended between head and tail:
// write_reply_head(out, id); write_value(out, result, depth); write_tail(out);

/// The beginning of a reply, up to its result.
PARTYLINE_EXPORT void write_reply_head(byte_buffer& out, std::string_view id);
/// The beginning of a request, up to its params, which have to follow.
PARTYLINE_EXPORT void write_request_head(byte_buffer& out, std::string_view id, std::string_view method);
/// The beginning of a notification, up to its params, which have to follow.
PARTYLINE_EXPORT void write_notification_head(byte_buffer& out, std::string_view method);
/// The end of any of these.
PARTYLINE_EXPORT void write_tail(byte_buffer& out);

/// The form of an id that could not be determined, in an error reply: JSON-RPC 2.0 §5 wants null; MCP leaves the member
/// out.
enum class unknown_id : std::uint8_t { null, omitted };

/// An error reply; an empty `id` is one that could not be determined. `error.data` that is not writable is left out.
PARTYLINE_EXPORT void write_error(byte_buffer& out, std::string_view id, const error_object& error,
                                  std::size_t max_depth, unknown_id when_unknown = unknown_id::null);

/// A request or notification without params, or with checked ones.
PARTYLINE_EXPORT void write_request(byte_buffer& out, std::string_view id, std::string_view method,
                                    json_view params = {});
/// A notification without params, or with checked ones.
PARTYLINE_EXPORT void write_notification(byte_buffer& out, std::string_view method, json_view params = {});
/// A reply with a checked result; an empty one is null.
PARTYLINE_EXPORT void write_reply(byte_buffer& out, std::string_view id, json_view result);

/// Joins messages to a batch. One without elements writes nothing (JSON-RPC 2.0 §6).
class PARTYLINE_EXPORT batch_writer {
public:
    /// Appends to `out`, which outlives this.
    explicit batch_writer(byte_buffer& out) : out_(&out) {}
    /// Call before each message that is appended.
    void begin_element();
    /// Call after the last message.
    void end();
    /// Whether there has been no message.
    bool empty() const noexcept { return is_empty_; }

private:
    byte_buffer* out_;
    bool is_empty_ = true;
};

} // namespace partyline
