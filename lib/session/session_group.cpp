#include <partyline/session/session_group.hpp>

#include "session/group/group_member.hpp"
#include "session/group/request_member.hpp"
#include "session/group/session_member.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/writer.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace partyline {
namespace {

json_text text_of(const call_params& params)
{
    byte_buffer text;
    if (const std::optional<unwritable> problem = params.write_to(text, limits().depth))
        throw std::invalid_argument("cannot be broadcast: " + problem->reason + " at \"" + problem->where + '"');
    return text.view().empty() ? json_text() : json_text(json_view::checked(text.view()));
}

} // namespace

/// A request in the group, while it is told.
class session_group::request_place {
public:
    request_place(session_group& of, std::shared_ptr<request_member> added) : of_(of), added_(std::move(added))
    {
        of_.insert(added_.get(), added_);
    }
    ~request_place() { of_.erase(added_.get()); }
    request_place(const request_place&) = delete;
    request_place& operator=(const request_place&) = delete;

private:
    session_group& of_;
    const std::shared_ptr<request_member> added_;
};

session_group::session_group(session_group_options options) : options_(options), counters_(std::make_shared<counters>())
{
}

session_group::~session_group() = default;

void session_group::add(std::shared_ptr<session_link> its)
{
    if (!its)
        throw std::invalid_argument("a null pointer is added to a session_group");
    const session_link* const key = its.get();
    insert(key, std::make_shared<session_member>(std::move(its), options_, counters_));
}

bool session_group::remove(const std::shared_ptr<session_link>& its) noexcept
{
    return erase(its.get());
}

task<void> session_group::stream_to(request_context& context)
{
    const auto added = std::make_shared<request_member>(context.get_executor(), options_, counters_);
    const request_place own(*this, added);
    task<void> telling = added->deliver(context);
    co_await std::move(telling);
}

void session_group::insert(const void* key, std::shared_ptr<member> added)
{
    const std::lock_guard alone(mutex_);
    if (members_.size() >= forget_at_)
        forget_ended();
    members_.try_emplace(key, std::move(added));
}

// With twice as many as there are now it happens again, so that each pays for a few.
void session_group::forget_ended() noexcept
{
    std::erase_if(members_, [](const auto& one) { return !one.second->is_open(); });
    constexpr std::size_t least = 16;
    forget_at_ = std::max(least, 2 * members_.size());
}

bool session_group::erase(const void* key) noexcept
{
    const std::lock_guard alone(mutex_);
    const auto found = members_.find(key);
    if (found == members_.end())
        return false;
    found->second->forget();
    members_.erase(found);
    return true;
}

std::size_t session_group::broadcast(std::string method, const call_params& params)
{
    const auto what = std::make_shared<const broadcast_text>(broadcast_text{std::move(method), text_of(params)});
    const std::lock_guard alone(mutex_);
    std::size_t told = 0;
    for (auto one = members_.begin(); one != members_.end();) {
        if (!one->second->is_open()) {
            one = members_.erase(one);
            continue;
        }
        one->second->tell(what);
        ++told;
        ++one;
    }
    return told;
}

std::vector<std::shared_ptr<session_link>> session_group::sessions() const
{
    std::vector<std::shared_ptr<session_link>> all;
    const std::lock_guard alone(mutex_);
    for (const auto& [key, one] : members_)
        if (std::shared_ptr<session_link> its = one->is_open() ? one->link() : nullptr)
            all.push_back(std::move(its));
    return all;
}

std::size_t session_group::size() const
{
    const std::lock_guard alone(mutex_);
    return static_cast<std::size_t>(
        std::count_if(members_.begin(), members_.end(), [](const auto& one) { return one.second->is_open(); }));
}

std::uint64_t session_group::missed() const noexcept
{
    return counters_->missed;
}

} // namespace partyline
