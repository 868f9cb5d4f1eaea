#pragma once

#include "fleet/channel/channel.hpp"
#include "fleet/due_times.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::fleet {

/// The sessions of a front or of a worker, by number: the front's are those of calls, the worker's those of runs.
///
/// Thread safety: none; everything happens on one executor.
class channel_table final : public channel::carrier {
public:
    using time_point = channel::time_point;

    class user {
    public:
        virtual void publish_now(std::vector<publication> all) = 0;
        /// It is over, and in the table no more.
        virtual void on_channel_end(std::uint64_t number) = 0;
        /// `next_due()` is earlier than it was.
        virtual void on_due_changed() = 0;

    protected:
        ~user() = default;
    };

    enum class side : std::uint8_t { front, worker };

    /// `name`: of this front, or of this worker.
    channel_table(side is, std::string name, user& told) : side_(is), name_(std::move(name)), told_(&told) {}

    /// It may be open already, or be opened later on.
    void add(std::uint64_t number, const std::shared_ptr<channel>& one);
    /// Null where there is none.
    std::shared_ptr<channel> find(std::uint64_t number) const;
    std::size_t size() const noexcept { return all_.size(); }

    /// Has come for that session. Who speaks in one that there is not is told so.
    void on_message(std::uint64_t number, std::string_view payload, time_point now);
    /// Tells whoever has said this that there is no such session, unless there is.
    void refuse_unknown(const channel_message& message);
    void on_connected(time_point now);
    void on_time(time_point now);
    std::optional<time_point> next_due() const;

    /// All sessions end in order.
    void close_all();
    /// All sessions have lost the other side, which is told.
    void cut_off_all(const partyline::detail::end_reason& why);
    /// The same, and the sessions are stopped.
    void stop_all();

    /// Messages that could not be understood.
    std::uint64_t dropped() const noexcept { return dropped_; }

    // channel::carrier
    void on_changed(channel& one) override;

private:
    struct entry {
        std::shared_ptr<channel> one;
        time_point due;
        std::uint64_t dropped = 0; // of which are counted already
    };

    template <class Action>
    void for_each(Action action);
    void note_dropped(entry& known) noexcept;
    bool is_for(const channel_message& message, std::uint64_t number) const;
    void remove(channel& one);
    static bool is_same(channel& one, const channel_message& message);
    void refuse(const channel_message& message);

    const side side_;
    const std::string name_;
    user* const told_;
    std::map<std::uint64_t, entry> all_;
    due_times due_;
    std::uint64_t dropped_ = 0;
};

} // namespace partyline::fleet
