#pragma once

#include "session/line_sink.hpp"
#include "session/owned_descriptor.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace partyline {

/// A descriptor that lines are written to without waiting, whatever it leads to, and without changing O_NONBLOCK of a
/// description that other processes share:
/// - pipe, FIFO, terminal: by a description of our own (see own_description.hpp); where there is none, in pieces that
///   fit where poll says that there is room;
/// - socket: by MSG_DONTWAIT;
/// - regular file: as it is, which may wait for a disk;
/// - nothing, since the descriptor is closed: whatever is written has gone.
/// Thread safety: none.
class descriptor_sink final : public line_sink {
public:
    /// Follows a descriptor of somebody else's, which may be made to lead elsewhere at any time (`dup2`).
    explicit descriptor_sink(int followed) noexcept : followed_(followed) {}
    /// Adds to the end of a file, which is made where there is none. Throws `std::system_error`.
    explicit descriptor_sink(std::string path);

    std::size_t try_write(std::string_view bytes, error_code& failed) noexcept override;
    bool wait_for_room(std::chrono::milliseconds longest) noexcept override;
    bool may_wait() noexcept override;
    error_code reopen() noexcept override;

private:
    enum class way : std::uint8_t { plain, socket, polled, none };

    void open_path(error_code& failed) noexcept;
    void look();
    int target() const noexcept { return own_ ? own_.get() : followed_; }
    ssize_t write_some(std::string_view bytes) const noexcept;

    std::string path_; // of what is open, or empty
    int followed_ = -1;
    owned_descriptor own_;
    bool is_on_disk_ = false;
    way how_ = way::plain;
    bool is_known_ = false; // what `followed_` leads to:
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

} // namespace partyline
