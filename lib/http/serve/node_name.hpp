#pragma once

#include <cstddef>
#include <string_view>

namespace partyline::http {

/// Whether a process may be called that in the ids of its sessions, of which a balancer's rule takes what stands before
/// the dot: 1 to 32 of a-z and 0-9.
inline bool is_node_name(std::string_view text) noexcept
{
    constexpr std::size_t longest = 32;
    return !text.empty() && text.size() <= longest &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == text.npos;
}

} // namespace partyline::http
