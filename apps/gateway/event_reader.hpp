#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gateway {

/// Reads a stream of server-sent events (HTML standard, §9.2): any line ends, comments, a byte order mark, data over several
/// lines.
///
/// Flow: `feed()` what comes, and take events by `next()` until it says no.
class event_reader {
public:
    explicit event_reader(std::size_t most_bytes) : most_(most_bytes) {}

    /// Throws `std::length_error` for an event that is longer than may be.
    void feed(std::string_view bytes);
    /// The data of the next event that has some; empty where none is complete.
    std::optional<std::string> next();

    /// Of the last event that had one.
    const std::string& last_id() const noexcept { return last_id_; }
    /// How soon to come back, where the server has said so.
    std::optional<std::chrono::milliseconds> retry() const noexcept { return retry_; }

private:
    std::optional<std::string_view> take_line();
    void take_field(std::string_view line);

    std::size_t most_;
    std::string bytes_;
    std::size_t at_ = 0;       // of what was not taken
    std::size_t searched_ = 0; // there is no line end before this
    bool has_begun_ = false;
    std::string data_;
    bool has_data_ = false;
    std::string id_;
    std::string last_id_;
    std::optional<std::chrono::milliseconds> retry_;
};

} // namespace gateway
