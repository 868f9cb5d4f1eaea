#pragma once

#include <string>

#include <spawn.h>
#include <sys/types.h>

namespace partyline {

/// What happens between the birth of a process and its program's first step. posix_spawn does it: no copy of our memory
/// is made, no code of ours runs in the child, and what goes wrong there is known here when the call returns.
class spawn_plan {
public:
    spawn_plan();
    ~spawn_plan();
    spawn_plan(const spawn_plan&) = delete;
    spawn_plan& operator=(const spawn_plan&) = delete;

    /// Makes `descriptor` the child's descriptor `number`; others than 0, 1 and 2 are closed.
    void place(int descriptor, int number);
    /// Makes /dev/null the child's descriptor `number`, to write to.
    void drop(int number);
    void enter(const std::string& directory);

    /// The errno of what failed, or 0. To be called once everything is planned.
    int run(pid_t& pid, const std::string& file, char* const* arguments, char* const* environment) const;
    /// Closes what the child is not to have. The last step of a plan.
    void close_others();

private:
    posix_spawnattr_t attributes_;
    posix_spawn_file_actions_t actions_;
};

} // namespace partyline
