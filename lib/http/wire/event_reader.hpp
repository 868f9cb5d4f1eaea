#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

/// An event that a server has sent.
struct server_event {
    std::string type; // "message" where the server says nothing else
    std::string data; // not empty
};

/// Reads a stream of server-sent events (HTML standard, §9.2): any line ends, comments, a byte order mark, data over
/// several lines. What stands behind the last event is none.
///
/// Flow: `feed()` what comes, and take events by `next()` until it says no.
/// Cost: linear in what comes, however it is cut. Memory: what was fed and not taken, and one event of at most
/// `most_bytes`.
class event_reader {
public:
    explicit event_reader(std::size_t most_bytes) : most_(most_bytes) {}

    void feed(std::string_view bytes);
    /// The next event that has data; empty where none is complete. Throws `std::length_error` where it is longer than
    /// may be, from then on.
    std::optional<server_event> next();

    /// Of the last event that had one, be it without data.
    const std::string& last_id() const noexcept { return last_id_; }
    /// How soon to come back, where the server has said so.
    std::optional<std::chrono::milliseconds> retry() const noexcept { return retry_; }

private:
    bool take_mark();
    std::optional<std::string_view> take_line();
    void take_field(std::string_view line);
    void take_id(std::string_view value);
    void take_retry(std::string_view value);
    std::optional<server_event> end_event();
    void check_size(std::size_t line) const;

    std::size_t most_;
    std::string bytes_;
    std::size_t at_ = 0;       // of what was not taken
    std::size_t searched_ = 0; // there is no line end before this
    bool has_begun_ = false;
    bool ends_with_cr_ = false; // the line before
    std::string data_;          // each line with its end
    std::string type_;
    std::string id_;
    std::string last_id_;
    std::optional<std::chrono::milliseconds> retry_;
};

} // namespace partyline::http
