#pragma once

#include "session/line_output.hpp"
#include "session/owned_descriptor.hpp"

#include <cstdint>

#include <sys/types.h>

namespace partyline {

/// A descriptor that lines are written to without waiting, whatever it leads to, and without changing O_NONBLOCK of a
/// description that other processes share:
/// - pipe, FIFO, terminal: by a description of our own (see own_description.hpp); where there is none, in pieces that
///   fit where poll says that there is room;
/// - socket: by MSG_DONTWAIT;
/// - regular file: as it is;
/// - nothing, since the descriptor is closed: whatever is written has gone.
/// Thread safety: none.
class descriptor_sink final : public line_sink {
public:
    /// Follows a descriptor of somebody else's, which may be made to lead elsewhere at any time (`dup2`).
    explicit descriptor_sink(int followed) noexcept : followed_(followed) {}
    /// Writes to one of our own, whose description is ours alone and non-blocking.
    explicit descriptor_sink(owned_descriptor own) noexcept : own_(std::move(own)) {}

    std::size_t try_write(std::string_view bytes, error_code& failed) noexcept override;
    bool wait_for_room(std::chrono::milliseconds longest) noexcept override;

private:
    enum class way : std::uint8_t { plain, socket, polled, none };

    void look();
    int target() const noexcept { return own_ ? own_.get() : followed_; }
    ssize_t write_some(std::string_view bytes) const noexcept;

    int followed_ = -1;
    owned_descriptor own_;
    way how_ = way::plain;
    bool is_known_ = false; // what `followed_` leads to:
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

} // namespace partyline
