#pragma once

#include "fleet/channel/channel_core.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::test {

/// Two sides of a session, and the network between them, in a time of their own.
class simulated_channel {
public:
    using time_point = fleet::channel_core::time_point;
    using duration = std::chrono::milliseconds;

    explicit simulated_channel(fleet::channel_limits limits = {})
        : sides{fleet::channel_core({{"F1", 7}, "W1.3", "worker"}, now, limits),
                fleet::channel_core({{"F1", 7}, "W1.3", "front"}, now, limits)}
    {
    }

    fleet::channel_core& front() { return sides[0]; }
    fleet::channel_core& worker() { return sides[1]; }

    /// What becomes of a message: after how long each copy of it arrives; none: it is lost. Unset: at once, one.
    std::function<std::vector<duration>(std::size_t from, const fleet::channel_message&)> decide;

    /// Puts on the way what the sides say. Each message is read as it comes over the bus.
    void send()
    {
        for (std::size_t from = 0; from < sides.size(); ++from) {
            for (const fleet::publication& one : sides[from].take_effects()) {
                const auto read = fleet::read_channel_message(one.text());
                if (!read || one.subject != (from == 0 ? "worker" : "front"))
                    throw std::logic_error("a message that is none: " + std::string(one.text()));
                ++said[from];
                for (const duration after : decide ? decide(from, *read.value) : std::vector<duration>{duration(0)})
                    on_the_way_.emplace(std::pair(now + after, next_++), std::pair(1 - from, *read.value));
            }
        }
    }
    /// Lets messages arrive and time pass. `on_step`: after each of these.
    void pass(duration time, const std::function<void()>& on_step = {})
    {
        const time_point end = now + time;
        for (send(); step(end); send()) {
            if (on_step) {
                send();
                on_step();
            }
        }
        now = end;
    }
    void write(std::size_t side, std::string_view bytes) { BOOST_TEST(sides[side].write(bytes, now) == bytes.size()); }
    std::string read(std::size_t side, std::size_t most = 1 << 20)
    {
        std::string room(most, '\0');
        room.resize(sides[side].read(boost::asio::buffer(room), now));
        return room;
    }

    time_point now{std::chrono::hours(1)};
    std::array<fleet::channel_core, 2> sides;
    std::array<std::size_t, 2> said{};

private:
    bool step(time_point end)
    {
        std::optional<time_point> next;
        if (!on_the_way_.empty())
            next = on_the_way_.begin()->first.first;
        for (fleet::channel_core& one : sides) {
            if (const auto due = one.next_due(); due && (!next || *due < *next))
                next = due;
        }
        if (!next || *next > end)
            return false;
        now = std::max(now, *next);
        if (!on_the_way_.empty() && on_the_way_.begin()->first.first <= now) {
            auto one = on_the_way_.extract(on_the_way_.begin());
            sides[one.mapped().first].on_message(std::move(one.mapped().second), now);
            return true;
        }
        for (fleet::channel_core& one : sides) {
            if (one.next_due() && *one.next_due() <= now)
                one.on_time(now);
            if (one.next_due() && *one.next_due() <= now)
                throw std::logic_error("a side that is due for ever");
        }
        return true;
    }

    std::map<std::pair<time_point, std::size_t>, std::pair<std::size_t, fleet::channel_message>> on_the_way_;
    std::size_t next_ = 0;
};

} // namespace partyline::test
