#pragma once

#include <partyline/protocol/message.hpp>

#include <optional>
#include <string>
#include <vector>

namespace partyline::http {

/// What an argument of a tool's call has in the field that repeats it (2026-07-28, custom headers).
struct mirrored_value {
    std::string text;
    bool is_number = false;
};

/// Of the argument that `path` leads to, in the message that `reader` has read last. Empty where it has none: it is not
/// there, or null.
std::optional<mirrored_value> find_mirrored(message_reader& reader, const std::vector<std::string>& path);

} // namespace partyline::http
