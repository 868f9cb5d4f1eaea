#pragma once

#include <functional>

namespace command_line {

/// Calls a function that starts a child process: one that ignores SIGHUP where the user has the program ignore it,
/// which takes it all the same.
void with_users_signals(const std::function<void()>& start);

} // namespace command_line
