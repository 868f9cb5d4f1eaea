#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// The messages that Boost.Beast takes out of what comes to a server by WebSocket, until it finds something wrong or
/// the end.
std::vector<std::string> judge_frames(std::string_view bytes, std::size_t longest);

} // namespace partyline::test
