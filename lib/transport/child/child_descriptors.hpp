#pragma once

#include "session/owned_descriptor.hpp"
#include "transport/child/spawn_plan.hpp"

#include <partyline/transport/child_options.hpp>

#include <vector>

namespace partyline {

/// What a child process is given as descriptors 0, 1 and 2, and our ends of it. All of them are close-on-exec and lie
/// above 2; ours don't block. Throws `system_error`.
class child_descriptors {
public:
    /// Plans what the child gets. To be kept until it has been started.
    child_descriptors(const child_options& options, spawn_plan& plan);

    owned_descriptor input;  ///< what it reads
    owned_descriptor output; ///< what it writes
    owned_descriptor errors; ///< what it writes to standard error, when that is captured

    /// The same descriptor, or a copy of it, above 2. Standard descriptors may be closed in this process, and what is
    /// opened next gets their numbers: a stray print would go to the child, and the child's own would overwrite each
    /// other.
    static owned_descriptor above_standard(int descriptor);

private:
    struct ends {
        owned_descriptor reading;
        owned_descriptor writing;
    };

    void make_pipes(spawn_plan& plan);
    void make_socket_pair(spawn_plan& plan);
    void capture_errors(spawn_plan& plan);
    static ends make_pipe();
    void keep(owned_descriptor theirs, int number, spawn_plan& plan);

    std::vector<owned_descriptor> theirs_;
};

} // namespace partyline
