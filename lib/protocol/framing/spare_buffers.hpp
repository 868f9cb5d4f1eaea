#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/byte_buffer.hpp>

namespace partyline::detail {

// Buffers that the sessions of this thread use by turns: a thousand idle ones would each keep theirs, and to ask the
// system for the memory each time costs more than to read a message.

/// What comes is read into large ones; most of what goes out is short.
enum class spare_use { reading, writing };

/// One that was kept, empty, or one without memory.
PARTYLINE_EXPORT byte_buffer take_spare_buffer(spare_use use = spare_use::reading) noexcept;
/// Keeps it for the next one, unless there are some, or it is a large one.
PARTYLINE_EXPORT void keep_spare_buffer(byte_buffer one, spare_use use = spare_use::reading) noexcept;

} // namespace partyline::detail
