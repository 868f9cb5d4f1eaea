#include "mcp_extensions/tasks/task_store.hpp"

#include "mcp_extensions/tasks/task_texts.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/json/object.hpp>

#include <memory>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

// Counts what a change of a record takes, however that ends.
class byte_count {
public:
    byte_count(std::size_t& of_all, std::size_t& of_owner, const task_record& of) noexcept
        : of_all_(of_all), of_owner_(of_owner), of_(of), before_(of.bytes())
    {
    }
    ~byte_count()
    {
        of_all_ = of_all_ - before_ + of_.bytes();
        of_owner_ = of_owner_ - before_ + of_.bytes();
    }
    byte_count(const byte_count&) = delete;
    byte_count& operator=(const byte_count&) = delete;

private:
    std::size_t& of_all_;
    std::size_t& of_owner_;
    const task_record& of_;
    const std::size_t before_;
};

constexpr bool has_room(std::size_t taken, std::size_t more, std::size_t most) noexcept
{
    return taken <= most && more <= most - taken;
}

} // namespace

error_object task_store::busy(const shortage& of)
{
    return {partyline::error_codes::server_busy, "Server busy", json::object{{"limit", of.limit}, {"value", of.value}}};
}

std::optional<task_store::shortage> task_store::find_shortage(const usage& of, std::size_t more) const noexcept
{
    if (!has_room(of.bytes, more, bounds_.bytes_of_principal))
        return shortage{"server_tasks_options::max_bytes_of_principal", bounds_.bytes_of_principal};
    if (!has_room(bytes_, more, bounds_.bytes))
        return shortage{"server_tasks_options::max_bytes", bounds_.bytes};
    return std::nullopt;
}

std::optional<task_store::shortage> task_store::find_task_shortage(const task_owner& owner,
                                                                   std::size_t bytes) const noexcept
{
    const auto known = owners_.find(owner);
    const usage of = known == owners_.end() ? usage() : known->second;
    if (size() >= bounds_.tasks)
        return shortage{"server_tasks_options::max_tasks", bounds_.tasks};
    if (of.tasks >= bounds_.tasks_of_principal)
        return shortage{"server_tasks_options::max_tasks_of_principal", bounds_.tasks_of_principal};
    return find_shortage(of, bytes);
}

bool task_store::has_room_for(const task_owner& owner, std::size_t params, task_time now) noexcept
{
    drop_expired(now);
    return !find_task_shortage(owner, params);
}

task_record& task_store::add(std::string id, task_owner owner, std::string params, task_time now)
{
    drop_expired(now);
    if (const std::optional<shortage> lacking = find_task_shortage(owner, params.size()))
        throw rpc_error(busy(*lacking));
    record_list made;
    made.emplace_back(id, owner, std::move(params), now);
    const auto of = owners_.try_emplace(std::move(owner)).first;
    try {
        by_id_.emplace(std::move(id), entry{made.begin(), &working_, of});
    } catch (...) {
        if (of->second.tasks == 0)
            owners_.erase(of);
        throw;
    }
    ++of->second.tasks;
    of->second.bytes += made.front().bytes();
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

const task_record* task_store::find(const std::string& id) const noexcept
{
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &*found->second.record;
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
    usage& of = usage_of(one);
    bool is_taken = false;
    {
        const byte_count counted(bytes_, of.bytes, one);
        is_taken = one.on_asked(std::move(asked), now);
    }
    const std::optional<shortage> lacking = find_shortage(of, 0);
    if (is_taken && !lacking)
        return keep_for_ttl(one, now);
    shared_text error;
    try {
        error = std::make_shared<const std::string>(error_text(
            is_taken ? busy(*lacking)
                     : error_object{partyline::error_codes::internal_error, "The tool has asked too often", {}}));
    } catch (...) { // no memory: an internal error
    }
    end(one, task_status::failed, std::move(error), now);
}

bool task_store::answer(task_record& one, task_answers& answers, task_time now)
{
    usage& of = usage_of(one);
    if (const std::optional<shortage> lacking = find_shortage(of, one.bytes_of(answers)))
        throw rpc_error(busy(*lacking));
    const byte_count counted(bytes_, of.bytes, one);
    const bool goes_on = one.on_answers(answers, now);
    if (goes_on)
        move(one, working_);
    return goes_on;
}

void task_store::complete(task_record& one, std::string result, task_time now)
{
    settle(one, task_status::completed, std::move(result), now);
}

void task_store::fail(task_record& one, std::string error, task_time now)
{
    settle(one, task_status::failed, std::move(error), now);
}

void task_store::lose(task_record& one, task_loss why, task_time now) noexcept
{
    if (one.has_ended())
        return;
    {
        const byte_count counted(bytes_, usage_of(one).bytes, one);
        one.on_lost(why, now);
    }
    keep_for_ttl(one, now);
}

bool task_store::cancel(task_record& one, task_time now) noexcept
{
    const bool is_new = !one.has_ended();
    end(one, task_status::cancelled, {}, now);
    return is_new;
}

void task_store::settle(task_record& one, task_status how, std::string outcome, task_time now)
{
    const std::size_t freed = one.bytes();
    if (outcome.size() > freed)
        if (const std::optional<shortage> lacking = find_shortage(usage_of(one), outcome.size() - freed)) {
            outcome = error_text(busy(*lacking));
            how = task_status::failed;
        }
    end(one, how, std::make_shared<const std::string>(std::move(outcome)), now);
}

void task_store::end(task_record& one, task_status how, shared_text outcome, task_time now) noexcept
{
    if (one.has_ended())
        return;
    {
        const byte_count counted(bytes_, usage_of(one).bytes, one);
        one.on_end(how, std::move(outcome), now);
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

void task_store::erase(entry_map::iterator at) noexcept
{
    const entry gone = at->second;
    by_id_.erase(at);
    bytes_ -= gone.record->bytes();
    gone.owner->second.bytes -= gone.record->bytes();
    gone.list->erase(gone.record);
    if (--gone.owner->second.tasks == 0)
        owners_.erase(gone.owner);
}

void task_store::drop_expired(task_time now) noexcept
{
    while (!expiring_.empty() && expiring_.front().expires() <= now.steady)
        erase(by_id_.find(expiring_.front().id()));
}

task_store::contents task_store::clear() noexcept
{
    contents all;
    all.records.swap(working_);
    all.records.splice(all.records.end(), expiring_);
    all.by_id.swap(by_id_);
    all.owners.swap(owners_);
    bytes_ = 0;
    return all;
}

} // namespace partyline::mcp
