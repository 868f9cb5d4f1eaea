#pragma once

#include <optional>
#include <string_view>

namespace partyline::http {

/// The name and the port of a server, as Host and the origins of pages say them. Views of what they were read from.
struct authority {
    std::string_view name; // without the dot that may end it; an IPv6 address with its brackets
    std::string_view port; // digits, empty where none is told
};

/// Empty for what is no name or address, with or without a port, such as what has a user in front of it.
std::optional<authority> read_authority(std::string_view text) noexcept;

/// Whether whoever asks for this name asks for its own machine: "localhost", 127.0.0.1 and [::1]. Nobody can have one
/// of these point elsewhere.
bool is_loopback_name(std::string_view name) noexcept;

} // namespace partyline::http
