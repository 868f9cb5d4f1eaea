#pragma once

#include "mcp_extensions/tasks/task_record.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace partyline::mcp {

/// All tasks of a server: how many there may be, whose they are, and when they are dropped.
///
/// Thread safety: none. `now` never goes back.
class task_store {
public:
    struct limits {
        std::chrono::milliseconds ttl;
        std::size_t tasks;
        std::size_t tasks_of_principal;
        std::size_t bytes;
    };

    explicit task_store(limits bounds) : bounds_(bounds) {}

    /// A task that works. Throws `rpc_error` (-31001) where there is no room. The id is new.
    task_record& add(std::string id, task_owner owner, std::string params, task_time now);
    /// Null for one that there is not, or not any more, or that is somebody else's.
    task_record* find(const std::string& id, const task_owner& by, task_time now) noexcept;
    /// One that works in that round, whosever it is.
    task_record* find_working(const std::string& id, unsigned round) noexcept;

    // What happens to one of them; see `task_record`.

    /// It fails where there is no room for what it asks, or where it asks too often.
    void ask(task_record& one, task_questions asked, task_time now);
    /// Throws `rpc_error` (-31001) where there is no room: nothing was taken.
    bool answer(task_record& one, const boost::json::object& answers, task_time now);
    /// It fails where there is no room for the result.
    void complete(task_record& one, std::string result, task_time now);
    void fail(task_record& one, std::optional<error_object> error, task_time now) noexcept;
    void cancel(task_record& one, task_time now) noexcept;
    /// Takes it back: it has never been.
    void drop(const std::string& id) noexcept;
    /// Drops all. Returns what runs of them.
    std::vector<std::shared_ptr<running_task>> clear();

    std::size_t size() const noexcept { return by_id_.size(); }
    std::size_t bytes() const noexcept { return bytes_; }

private:
    using record_list = std::list<task_record>;
    struct entry {
        record_list::iterator record;
        record_list* list;                                 // that it is in
        std::map<task_owner, std::size_t>::iterator count; // of its owner's tasks
    };

    void drop_expired(task_time now) noexcept;
    void check_room(const char* limit, std::size_t count, std::size_t most) const;
    bool has_room(std::size_t more) const noexcept { return more <= bounds_.bytes && bytes_ <= bounds_.bytes - more; }
    void keep_for_ttl(task_record& one, task_time now) noexcept;
    void move(const task_record& one, record_list& to) noexcept;
    void erase(std::unordered_map<std::string, entry>::iterator at) noexcept;

    const limits bounds_;
    record_list working_;
    record_list expiring_; // in the order of their times: all have the same to wait
    std::unordered_map<std::string, entry> by_id_;
    std::map<task_owner, std::size_t> counts_;
    std::size_t bytes_ = 0;
};

} // namespace partyline::mcp
