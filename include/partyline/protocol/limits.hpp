#pragma once

#include <cstddef>

namespace partyline {

/// Bounds what one message may cost. The same bounds hold for what a session sends.
/// Sizes are bytes on the wire: as a `json::value` the text `1,` takes 24 bytes, so allow for a factor of twelve.
struct limits {
    /// Longest message, without the newline that ends it. A longer one is discarded as it arrives.
    std::size_t message_bytes = std::size_t(16) << 20;
    /// Deepest nesting of arrays and objects. The outermost object of a message counts as one, and so does a batch's array.
    std::size_t depth = 128;
    /// Longest request id, as it stands in the message, quotes included.
    std::size_t id_bytes = 1024;
    /// Most elements of one batch.
    std::size_t batch_elements = 1000;
};

} // namespace partyline
