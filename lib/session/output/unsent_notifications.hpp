#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>

namespace partyline {

/// A notification that a handler has sent and that has no room yet.
struct notification_text {
    std::string method;
    std::string params;          // valid JSON text, or empty
    bool is_replaceable = false; // progress: a newer one may take its place

    std::size_t bytes() const noexcept { return method.size() + params.size(); }
};

/// What one request has said that waits for room, in order. A replaceable one may replace the newest such one.
class unsent_notifications {
public:
    /// Replaces only from `coalesce_above` bytes on.
    explicit unsent_notifications(std::size_t coalesce_above = 0) noexcept : coalesce_above_(coalesce_above) {}

    bool empty() const noexcept { return list_.empty(); }
    std::size_t bytes() const noexcept { return bytes_; }

    /// Whether it takes one more that is not replaceable: the first one always, others up to `limit` bytes in all. Only
    /// a handler that does not wait until there is room ever hears no.
    bool takes(const notification_text& next, std::size_t limit) const noexcept
    {
        return list_.empty() || bytes_ + next.bytes() <= limit;
    }

    /// True when it took the place of an older one.
    bool add(notification_text next);
    /// Moves the first to `out`; false when there is none.
    bool take(notification_text& out);

private:
    void drop_replaceable();

    std::list<notification_text> list_;
    std::size_t bytes_ = 0;
    std::size_t replaceable_ = 0; // how many of them
    std::size_t coalesce_above_;
};

} // namespace partyline
