#include "mcp_extensions/tasks/task_store.hpp"

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

error_object no_room(const char* limit, std::size_t value)
{
    return {partyline::error_codes::server_busy, "Server busy", json::object{{"limit", limit}, {"value", value}}};
}

constexpr const char* byte_limit = "server_tasks_options::max_bytes";

// Counts what a change of a record takes, however that ends.
class byte_count {
public:
    byte_count(std::size_t& total, const task_record& of) noexcept : total_(total), of_(of), before_(of.bytes()) {}
    ~byte_count() { total_ = total_ - before_ + of_.bytes(); }
    byte_count(const byte_count&) = delete;
    byte_count& operator=(const byte_count&) = delete;

private:
    std::size_t& total_;
    const task_record& of_;
    const std::size_t before_;
};

} // namespace

void task_store::check_room(const char* limit, std::size_t count, std::size_t most) const
{
    if (count >= most)
        throw rpc_error(no_room(limit, most));
}

task_record& task_store::add(std::string id, task_owner owner, std::string params, task_time now)
{
    drop_expired(now);
    check_room("server_tasks_options::max_tasks", size(), bounds_.tasks);
    const auto known = counts_.find(owner);
    check_room("server_tasks_options::max_tasks_of_principal", known == counts_.end() ? 0 : known->second,
               bounds_.tasks_of_principal);
    if (!has_room(params.size()))
        throw rpc_error(no_room(byte_limit, bounds_.bytes));
    record_list made;
    made.emplace_back(id, owner, std::move(params), now);
    const auto count = counts_.try_emplace(std::move(owner), 0).first;
    try {
        by_id_.emplace(std::move(id), entry{made.begin(), &working_, count});
    } catch (...) {
        if (count->second == 0)
            counts_.erase(count);
        throw;
    }
    ++count->second;
    bytes_ += made.front().bytes();
    working_.splice(working_.end(), made);
    return working_.back();
}

task_record* task_store::find(const std::string& id, const task_owner& by, task_time now) noexcept
{
    drop_expired(now);
    const auto found = by_id_.find(id);
    return found != by_id_.end() && found->second.record->owner() == by ? &*found->second.record : nullptr;
}

task_record* task_store::find_working(const std::string& id, unsigned round) noexcept
{
    const auto found = by_id_.find(id);
    if (found == by_id_.end())
        return nullptr;
    task_record& one = *found->second.record;
    return one.status() == task_status::working && one.round() == round ? &one : nullptr;
}

void task_store::ask(task_record& one, task_questions asked, task_time now)
{
    std::optional<error_object> problem;
    {
        const byte_count counted(bytes_, one);
        if (!one.on_asked(std::move(asked), now))
            problem = error_object{partyline::error_codes::internal_error, "The tool has asked too often", {}};
    }
    if (!problem && bytes_ > bounds_.bytes)
        problem = no_room(byte_limit, bounds_.bytes);
    if (problem)
        fail(one, std::move(problem), now);
    else
        keep_for_ttl(one, now);
}

bool task_store::answer(task_record& one, const json::object& answers, task_time now)
{
    if (!has_room(one.bytes_of(answers)))
        throw rpc_error(no_room(byte_limit, bounds_.bytes));
    const byte_count counted(bytes_, one);
    const bool goes_on = one.on_answers(answers, now);
    if (goes_on)
        move(one, working_);
    return goes_on;
}

void task_store::complete(task_record& one, std::string result, task_time now)
{
    const std::size_t freed = one.bytes();
    if (one.has_ended())
        return;
    if (result.size() > freed && !has_room(result.size() - freed))
        return fail(one, no_room(byte_limit, bounds_.bytes), now);
    {
        const byte_count counted(bytes_, one);
        one.on_result(std::move(result), now);
    }
    keep_for_ttl(one, now);
}

void task_store::fail(task_record& one, std::optional<error_object> error, task_time now) noexcept
{
    if (one.has_ended())
        return;
    {
        const byte_count counted(bytes_, one);
        one.on_error(std::move(error), now);
    }
    keep_for_ttl(one, now);
}

void task_store::cancel(task_record& one, task_time now) noexcept
{
    if (one.has_ended())
        return;
    {
        const byte_count counted(bytes_, one);
        one.on_cancel(now);
    }
    keep_for_ttl(one, now);
}

void task_store::keep_for_ttl(task_record& one, task_time now) noexcept
{
    one.expire_at(now.steady + bounds_.ttl);
    move(one, expiring_);
}

// To the end. Throws nothing: the id is there, and no list allocates.
void task_store::move(const task_record& one, record_list& to) noexcept
{
    entry& moved = by_id_.find(one.id())->second;
    to.splice(to.end(), *moved.list, moved.record);
    moved.list = &to;
}

void task_store::drop(const std::string& id) noexcept
{
    if (const auto found = by_id_.find(id); found != by_id_.end())
        erase(found);
}

void task_store::erase(std::unordered_map<std::string, entry>::iterator at) noexcept
{
    const entry gone = at->second;
    by_id_.erase(at);
    bytes_ -= gone.record->bytes();
    gone.list->erase(gone.record);
    if (--gone.count->second == 0)
        counts_.erase(gone.count);
}

void task_store::drop_expired(task_time now) noexcept
{
    while (!expiring_.empty() && expiring_.front().expires() <= now.steady)
        erase(by_id_.find(expiring_.front().id()));
}

std::vector<std::shared_ptr<running_task>> task_store::clear()
{
    std::vector<std::shared_ptr<running_task>> running;
    running.reserve(working_.size());
    for (const task_record& one : working_)
        if (std::shared_ptr<running_task> run = one.run.lock())
            running.push_back(std::move(run));
    by_id_.clear();
    counts_.clear();
    working_.clear();
    expiring_.clear();
    bytes_ = 0;
    return running;
}

} // namespace partyline::mcp
