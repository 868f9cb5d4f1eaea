#pragma once

#include <chrono>
#include <optional>

namespace partyline {

/// Limits the log lines about something that may happen again and again: one when it begins, the next when it
/// begins again after ten seconds without it.
/// Thread safety: none.
class log_throttle {
public:
    using clock = std::chrono::steady_clock;

    /// To be asked each time that it happens. True: this is worth a line.
    bool allows(clock::time_point now) noexcept
    {
        const bool is_news = !last_ || now - *last_ > std::chrono::seconds(10);
        last_ = now;
        return is_news;
    }

private:
    std::optional<clock::time_point> last_;
};

} // namespace partyline
