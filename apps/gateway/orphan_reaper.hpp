#pragma once

namespace gateway {

/// Has process 1 of a container reap what has lost its parent and become its child: else each of them stays a zombie.
/// It forks. The first process does nothing but that from then on, passes signals on to the other one and ends with it,
/// with its exit code; this returns in the other one, which goes on as the program. So nothing is reaped that somebody
/// here has started and waits for.
///
/// Throws `system_error`. Before there are threads.
void fork_orphan_reaper();

} // namespace gateway
