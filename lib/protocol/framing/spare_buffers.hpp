#pragma once

#include <partyline/protocol/byte_buffer.hpp>

namespace partyline::detail {

// Buffers that this thread reads into by turns: a thousand idle sessions would each keep one, and to ask the system for the
// memory each time costs more than to read a message.

/// One that was kept, empty, or one without memory.
byte_buffer take_spare_buffer() noexcept;
/// Keeps it for the next one, unless there are some, or it is a large one.
void keep_spare_buffer(byte_buffer one) noexcept;

} // namespace partyline::detail
