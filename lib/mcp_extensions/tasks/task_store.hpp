#pragma once

#include "mcp_extensions/tasks/task_record.hpp"

#include <partyline/protocol/error.hpp>

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace partyline::mcp {

/// All tasks of a server: how many there may be, whose they are, and when they are dropped.
///
/// Thread safety: none. `now` never goes back.
class task_store {
private:
    using record_list = std::list<task_record>;
    // What the tasks of one owner take.
    struct usage {
        std::size_t tasks = 0;
        std::size_t bytes = 0;
    };
    using usage_map = std::map<task_owner, usage>;
    struct entry {
        record_list::iterator record;
        record_list* list; // that it is in
        usage_map::iterator owner;
    };
    using entry_map = std::unordered_map<std::string, entry>;

public:
    struct limits {
        std::chrono::milliseconds ttl;
        std::size_t tasks;
        std::size_t tasks_of_principal;
        std::size_t bytes;
        std::size_t bytes_of_principal;
    };
    /// What was in a store.
    struct contents {
        record_list records;
        entry_map by_id;
        usage_map owners;
    };

    explicit task_store(limits bounds) : bounds_(bounds) {}

    /// Whether there is room for a task with that many bytes of params.
    bool has_room_for(const task_owner& owner, std::size_t params, task_time now) noexcept;
    /// A task that works. Throws `rpc_error` (-31001) where there is no room. The id is new.
    task_record& add(std::string id, task_owner owner, std::string params, task_time now);
    /// Null for one that there is not, or not any more, or that is somebody else's.
    task_record* find(const std::string& id, const task_owner& by, task_time now) noexcept;
    /// Whosever it is; null for one that there is not.
    const task_record* find(const std::string& id) const noexcept;
    /// One that works in that round, whosever it is.
    task_record* find_working(const std::string& id, unsigned round) noexcept;

    // What happens to one of them; see `task_record`.

    /// It fails where there is no room for what it asks, or where it asks too often.
    void ask(task_record& one, task_questions asked, task_time now);
    /// Takes answers out of `answers`; true where the task goes on. Throws `rpc_error` (-31001) where there is no room:
    /// nothing was taken.
    bool answer(task_record& one, task_answers& answers, task_time now);
    /// `result` is JSON text. The task fails where there is no room for it.
    void complete(task_record& one, std::string result, task_time now);
    /// `error` is JSON text. Where there is no room for it, that is the error.
    void fail(task_record& one, std::string error, task_time now);
    /// It has failed for want of an outcome.
    void lose(task_record& one, task_loss why, task_time now) noexcept;
    /// False for one that has ended.
    bool cancel(task_record& one, task_time now) noexcept;
    /// Takes it back: it has never been.
    void drop(const std::string& id) noexcept;
    /// Drops all, and leaves it to the caller to free them.
    contents clear() noexcept;

    std::size_t size() const noexcept { return by_id_.size(); }
    std::size_t bytes() const noexcept { return bytes_; }

private:
    // A limit that leaves no room.
    struct shortage {
        const char* limit;
        std::size_t value;
    };
    static error_object busy(const shortage& of);

    void drop_expired(task_time now) noexcept;
    std::optional<shortage> find_shortage(const usage& of, std::size_t more) const noexcept;
    std::optional<shortage> find_task_shortage(const task_owner& owner, std::size_t bytes) const noexcept;
    usage& usage_of(const task_record& one) noexcept { return by_id_.find(one.id())->second.owner->second; }
    void settle(task_record& one, task_status how, std::string outcome, task_time now);
    void end(task_record& one, task_status how, shared_text outcome, task_time now) noexcept;
    void keep_for_ttl(task_record& one, task_time now) noexcept;
    void move(const task_record& one, record_list& to) noexcept;
    void erase(entry_map::iterator at) noexcept;

    const limits bounds_;
    record_list working_;
    record_list expiring_; // in the order of their times: all have the same to wait
    entry_map by_id_;
    usage_map owners_;
    std::size_t bytes_ = 0;
};

} // namespace partyline::mcp
