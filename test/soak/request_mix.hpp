#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// What a client says that has everything in its repertoire, and which answers that must have. It remembers only what
/// is outstanding, so that it can go on for ever.
///
/// Flow: `add_next()` while `has_room()`; `on_line()` for every line that comes back. At the end `add_last_cancels()`.
class request_mix {
public:
    struct figures {
        std::uint64_t results = 0;
        std::uint64_t batches = 0;
        std::uint64_t cancelled = 0;
        std::uint64_t cancelled_too_late = 0; // their result came instead
        std::uint64_t errors = 0;             // under an id
        std::uint64_t bad_lines = 0;          // errors without one
        std::uint64_t notifications = 0;      // never answered
        std::uint64_t parts = 0;              // of results, notifications to us
    };

    request_mix(std::size_t window, std::uint64_t seed);

    /// Whether another message may be outstanding.
    bool has_room() const noexcept { return free_.size() >= longest_batch && bad_lines_ < slots_.size(); }
    /// Appends one message, or two: a request and the cancel of an earlier one.
    void add_next(std::string& out);
    /// Whether there is room for `add_long_results`; the caller reads until there is.
    bool has_room_for_long() const noexcept { return free_.size() >= long_results; }
    /// Appends requests for some megabytes in all, in parts, and the cancel of every fourth.
    void add_long_results(std::string& out);
    /// Cancels what would never be answered else.
    void add_last_cancels(std::string& out);
    /// Accounts for a line; throws when it is not what is outstanding.
    void on_line(std::string_view line);

    std::uint64_t answered() const noexcept { return answered_; }
    std::size_t outstanding() const noexcept { return slots_.size() - free_.size() + bad_lines_; }
    const figures& counts() const noexcept { return counts_; }

private:
    static constexpr std::size_t longest_batch = 8;
    static constexpr std::size_t long_results = 64;
    static constexpr std::uint64_t parts_of_one = 256;

    enum class expectation : std::uint8_t { nothing, result, cancel, late_cancel, unknown_method, bad_params };
    struct slot {
        std::uint64_t id = 0;
        expectation expected = expectation::nothing;
        bool has_parts = false;
        std::uint64_t parts = 0; // that have come
    };

    std::uint64_t take_slot(expectation expected);
    void add_echo(std::string& out);
    void add_delay(std::string& out);
    void add_endless(std::string& out);
    void add_race(std::string& out);
    void add_error(std::string& out);
    void add_bad_line(std::string& out);
    void add_notification(std::string& out);
    void add_batch(std::string& out);
    void cancel_oldest(std::string& out);

    void on_batch(std::string_view line);
    void on_reply(std::string_view reply);
    void on_part(std::string_view line, std::string_view rest);
    void on_bad_line();
    slot& find(std::uint64_t id, std::string_view line);
    static bool is_result(const slot& own, std::string_view rest);
    void count(expectation expected, int code);

    std::size_t random(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

    std::vector<slot> slots_; // by the id's remainder
    std::vector<std::uint32_t> free_;
    std::vector<std::uint64_t> endless_; // not cancelled yet
    std::uint64_t racing_ = 0;           // to be cancelled next; no id is 0
    std::size_t bad_lines_ = 0;          // outstanding
    std::uint64_t answered_ = 0;
    figures counts_;
    std::mt19937_64 random_;
};

} // namespace partyline::test
