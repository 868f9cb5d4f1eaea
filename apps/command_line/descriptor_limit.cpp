#include "command_line/descriptor_limit.hpp"

#include "transport/raised_descriptor_limit.hpp"

namespace command_line {

void raise_descriptor_limit()
{
    static const partyline::raised_descriptor_limit until_the_end;
}

void restore_descriptor_limit(pid_t child)
{
    partyline::raised_descriptor_limit::restore_in(child);
}

} // namespace command_line
