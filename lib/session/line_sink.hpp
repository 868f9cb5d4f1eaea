#pragma once

#include <partyline/protocol/errc.hpp>

#include <chrono>
#include <cstddef>
#include <string_view>

namespace partyline {

/// Where a `line_output` writes to.
class line_sink {
public:
    line_sink() = default;
    virtual ~line_sink() = default;
    line_sink(const line_sink&) = delete;
    line_sink& operator=(const line_sink&) = delete;

    /// Writes as many bytes as there is room for, without waiting, and returns how many. `failed` is set by errors
    /// only: that there is no room is none.
    virtual std::size_t try_write(std::string_view bytes, error_code& failed) noexcept = 0;
    /// Waits until there may be room; false when that has taken too long.
    virtual bool wait_for_room(std::chrono::milliseconds longest) noexcept = 0;
    /// Whether `try_write` may wait all the same: for a disk, which knows no other way.
    virtual bool may_wait() noexcept { return false; }
    /// Opens what has the name now by which the sink was opened. Returns why that failed; what was open stays then.
    virtual error_code reopen() noexcept { return {}; }
};

} // namespace partyline
