#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/byte_buffer.hpp>

namespace partyline {

/// A buffer for a text that is made and at once given away. Its memory is that of the last one that this thread is done
/// with, and is kept for the next: what is used within the making of another has its own. It may be destroyed in
/// another thread, whose it is then.
class PARTYLINE_EXPORT scratch_buffer {
public:
    scratch_buffer() noexcept;
    scratch_buffer(const scratch_buffer&) = delete;
    scratch_buffer& operator=(const scratch_buffer&) = delete;
    ~scratch_buffer();

    byte_buffer& get() noexcept { return buffer_; }

private:
    byte_buffer buffer_;
};

} // namespace partyline
