#pragma once

#include <chrono>
#include <optional>

namespace partyline {

/// Something that may happen again and again, and is worth a line in the log when it begins: after ten seconds without
/// it.
/// Thread safety: none.
class spell {
public:
    using clock = std::chrono::steady_clock;

    /// It has happened. True: that is news.
    bool begins(clock::time_point now) noexcept
    {
        const bool is_news = !last_ || now - *last_ > std::chrono::seconds(10);
        last_ = now;
        return is_news;
    }

private:
    std::optional<clock::time_point> last_;
};

} // namespace partyline
