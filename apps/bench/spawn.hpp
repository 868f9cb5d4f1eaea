#pragma once

#include "descriptor.hpp"
#include "server_process.hpp"

#include <string>

#include <sys/types.h>

namespace bench {

/// A child process that has just been started, and this side's ends of what it was given.
struct spawned {
    descriptor input;
    descriptor output;
    descriptor errors;
    descriptor end;
    pid_t pid = -1;
};

/// Runs `sh -c "exec COMMAND"`. Throws `failure`.
spawned spawn(const std::string& command, transport over);

} // namespace bench
