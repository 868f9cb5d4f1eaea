#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace partyline::fleet {

/// The pulls of a worker that may still be served, and how many items they ask for together.
class open_pulls {
public:
    using time_point = std::chrono::steady_clock::time_point;

    /// A new one, for `count` items until `ends`; returns its number. Each ends later than those before it.
    std::uint64_t open(std::size_t count, time_point ends);
    /// An item has come. It does not say for which of them: it counts for the oldest.
    void on_item();
    /// The server says that it is over. False where it is over already.
    bool on_status(std::uint64_t number);
    void end_all() noexcept;
    /// Those whose time is over. True where the server has said nothing since one of them was opened. (It does not say
    /// of each pull that its time is over.)
    bool end_until(time_point now);

    std::size_t asked() const noexcept { return asked_; }
    std::optional<time_point> next_end() const;

private:
    struct pull {
        std::size_t count;
        time_point ends;
    };
    using map = std::map<std::uint64_t, pull>;

    void erase(map::iterator one);

    map all_;
    std::uint64_t last_number_ = 0;
    std::uint64_t heard_until_ = 0; // the server has said something since these were opened
    std::size_t asked_ = 0;
};

} // namespace partyline::fleet
