#pragma once

#include "command_group.hpp"
#include "tools/files/descriptor.hpp"

#include <string>
#include <vector>

namespace tools {

/// A command that has just been started, and our descriptors for it.
struct started_command {
    command_group group;
    descriptor output; ///< what it writes, errors included
    descriptor end;    ///< readable once it has ended
};

/// Starts `program`, an absolute path, with these words, the first of which is its name, in `folder`. It leads a group
/// of its own, reads nothing, writes output and errors to one pipe, has no other descriptor, and no signal is blocked
/// or ignored (but SIGHUP where it is). Throws tool_error that says why it can't be started.
///
/// (partyline::child_process is a server to talk to, with a stream in each direction. Here errors belong where they
/// came in the output, and nothing of the group may outlive the command, so that it has to be killed before it is
/// reaped.)
started_command start_command(const std::string& program, std::vector<std::string> words, int folder);

} // namespace tools
