#pragma once

namespace command_line {

/// A standard descriptor that is closed would become a socket or a pipe of ours, and what is printed would go there.
/// /dev/null the wrong way round takes its place: reading or writing fails as it would have.
void occupy_closed_descriptors();

} // namespace command_line
