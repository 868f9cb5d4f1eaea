#pragma once

#include <cstddef>
#include <vector>

#include <sys/types.h>

namespace partyline::test {

/// Whether a process of this number runs; a zombie does not.
bool is_running(pid_t pid);

/// Waits for a process that is not our child to go: one that was killed may still run for a moment.
bool is_gone_soon(pid_t pid);

/// Whether a process of this group runs.
bool has_running_members(pid_t group);
/// Waits until none does.
bool is_group_gone_soon(pid_t group);

/// The processes that a program has as children.
std::vector<pid_t> children_of(pid_t pid);
/// The same with what those have started in turn.
std::vector<pid_t> descendants_of(pid_t pid);
/// How many descriptors a process has open.
std::size_t descriptors_of(pid_t pid);
/// Waits until there are no more than that.
bool has_at_most_descriptors_soon(pid_t pid, std::size_t count);

} // namespace partyline::test
