#include <partyline/session/session_group.hpp>

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/writer.hpp>
#include <partyline/session/session_link.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>

namespace partyline {
namespace {

/// What all sessions of a group are told, written once.
struct broadcast_text {
    std::string method;
    json_text params; // empty where there are none

    std::size_t bytes() const noexcept { return sizeof *this + method.size() + params.text().size(); }
};

using broadcast_ptr = std::shared_ptr<const broadcast_text>;

json_text text_of(const call_params& params)
{
    byte_buffer text;
    if (const std::optional<unwritable> problem = params.write_to(text, limits().depth))
        throw std::invalid_argument("cannot be broadcast: " + problem->reason + " at \"" + problem->where + '"');
    return text.view().empty() ? json_text() : json_text(json_view::checked(text.view()));
}

} // namespace

struct session_group::counters {
    std::atomic<std::uint64_t> missed = 0;
};

/// A session of a group, and what is on its way to it.
///
/// Flow: `tell()` from any thread; one `deliver()` at a time is posted to the session's executor, and takes all that is
/// there.
class session_group::member : public std::enable_shared_from_this<member> {
public:
    member(std::shared_ptr<session_link> to, const session_group_options& how, std::shared_ptr<counters> counted)
        : to_(std::move(to)), how_(how), counters_(std::move(counted))
    {
    }

    const std::shared_ptr<session_link>& link() const noexcept { return to_; }
    bool is_open() const noexcept { return to_->is_open(); }

    /// When it throws `std::bad_alloc`, this is not on its way.
    void tell(const broadcast_ptr& what)
    {
        const std::lock_guard alone(mutex_);
        if (!waiting_.empty() && waiting_bytes_ + what->bytes() > how_.queue_bytes)
            return note_missed(1);
        waiting_.push_back(what);
        try {
            if (!is_posted_)
                post();
        } catch (...) {
            waiting_.pop_back();
            throw;
        }
        waiting_bytes_ += what->bytes();
    }

    /// Nothing is on its way any more.
    void forget() noexcept
    {
        const std::lock_guard alone(mutex_);
        waiting_.clear();
        waiting_bytes_ = 0;
    }

private:
    void post()
    {
        is_posted_ = to_->post([self = shared_from_this()](live_session& now) { self->deliver(now); });
    }

    // What was sent here goes out when this has returned: only then it is known how far the peer reads.
    void deliver(live_session& now)
    {
        bool has_sent = false;
        while (const broadcast_ptr next = look()) {
            if (!now.has_room()) {
                if (!has_sent)
                    return skip(now);
                const std::lock_guard alone(mutex_);
                return post();
            }
            take();
            send(*next, now);
            has_sent = true;
        }
    }

    // The oldest; null where there is none: then the next one has to post.
    broadcast_ptr look() noexcept
    {
        const std::lock_guard alone(mutex_);
        is_posted_ = !waiting_.empty();
        return is_posted_ ? waiting_.front() : nullptr;
    }

    void take() noexcept
    {
        const std::lock_guard alone(mutex_);
        if (waiting_.empty())
            return; // forgotten meanwhile
        waiting_bytes_ -= waiting_.front()->bytes();
        waiting_.pop_front();
    }

    void send(const broadcast_text& what, live_session& now)
    {
        call_params params;
        if (!what.params.empty())
            params = what.params;
        now.notify(what.method, std::move(params))([counted = counters_](error_code failed, const call_result<void>&) {
            if (failed)
                ++counted->missed;
        });
    }

    void skip(live_session& now)
    {
        {
            const std::lock_guard alone(mutex_);
            note_missed(waiting_.size());
            waiting_.clear();
            waiting_bytes_ = 0;
            is_posted_ = false;
        }
        if (how_.behind == when_behind::close)
            now.close();
    }

    void note_missed(std::size_t count) const noexcept { counters_->missed += count; }

    const std::shared_ptr<session_link> to_;
    const session_group_options how_;
    const std::shared_ptr<counters> counters_;
    std::mutex mutex_;
    std::deque<broadcast_ptr> waiting_;
    std::size_t waiting_bytes_ = 0;
    bool is_posted_ = false;
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
    const auto added = std::make_shared<member>(std::move(its), options_, counters_);
    const std::lock_guard alone(mutex_);
    if (members_.size() >= forget_at_)
        forget_ended();
    members_.try_emplace(key, added);
}

// With twice as many as there are now it happens again, so that each session pays for a few.
void session_group::forget_ended() noexcept
{
    std::erase_if(members_, [](const auto& one) { return !one.second->is_open(); });
    constexpr std::size_t least = 16;
    forget_at_ = std::max(least, 2 * members_.size());
}

bool session_group::remove(const std::shared_ptr<session_link>& its) noexcept
{
    const std::lock_guard alone(mutex_);
    const auto found = members_.find(its.get());
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
        if (one->is_open())
            all.push_back(one->link());
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
