#include "command_line/descriptor_limit.hpp"

#include "transport/raised_descriptor_limit.hpp"

namespace command_line {

void raise_descriptor_limit()
{
    // Also for threads that outlive main; "used" keeps it reachable for the leak sanitizer.
    [[gnu::used]] static const auto& until_the_end = *new partyline::raised_descriptor_limit;
}

void restore_descriptor_limit(pid_t child)
{
    partyline::raised_descriptor_limit::restore_in(child);
}

} // namespace command_line
