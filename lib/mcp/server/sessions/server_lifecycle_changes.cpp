// Changes on their way to clients.
#include "mcp/server/server_core.hpp"
#include "mcp/server/sessions/server_lifecycle.hpp"

#include <boost/json/object.hpp>

#include <new>
#include <set>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

void check_limit(std::size_t limit, std::size_t value)
{
    if (value > limit)
        throw rpc_error(partyline::error_codes::server_busy, "Server busy",
                        json::object{{"limit", limit}, {"value", value}});
}

} // namespace

void server_lifecycle::check_room_for(std::size_t bytes) const
{
    check_limit(core_->facts().options.max_subscription_bytes, subscribed_bytes_ + waiting_bytes_ + bytes);
    check_budget_for(bytes);
}

// Whatever others take, a session may keep as much as it may hold of messages.
void server_lifecycle::check_budget_for(std::size_t bytes) const
{
    if (!has_budget_for(bytes))
        check_limit(share_->limit(), share_->used() + bytes);
}

bool server_lifecycle::has_budget_for(std::size_t bytes, std::size_t freed) const noexcept
{
    const std::size_t kept = greeted_->bytes() + subscribed_bytes_ + waiting_bytes_ - freed;
    return !share_ || !share_->is_used_up() || kept + bytes <= memory_budget::always;
}

void server_lifecycle::count() noexcept
{
    constexpr std::size_t bytes_of_place = 100;
    if (share_)
        share_->set(greeted_->bytes() + subscribed_bytes_ + waiting_bytes_ + subscribed_.size() * bytes_of_place);
}

void server_lifecycle::subscribe(std::string uri)
{
    if (subscribed_.contains(uri))
        return;
    check_limit(core_->facts().options.max_subscriptions, subscribed_.size() + 1);
    const std::size_t bytes = uri.size();
    check_room_for(bytes);
    subscribed_.insert(std::move(uri));
    subscribed_bytes_ += bytes;
    count();
}

void server_lifecycle::unsubscribe(const std::string& uri)
{
    if (subscribed_.erase(uri) != 0)
        subscribed_bytes_ -= uri.size();
    count();
}

void server_lifecycle::add_listener(topic_listener& added, std::size_t bytes)
{
    check_limit(core_->facts().options.max_listeners, listeners_.size() + 1);
    check_room_for(bytes);
    listeners_.push_back(&added);
    subscribed_bytes_ += bytes;
    count();
}

void server_lifecycle::remove_listener(const topic_listener& gone, std::size_t bytes) noexcept
{
    std::erase(listeners_, &gone);
    subscribed_bytes_ -= bytes;
    count();
}

bool server_lifecycle::has_room_for(std::size_t bytes, std::size_t freed) const noexcept
{
    const std::size_t others = waiting_bytes_ - freed;
    const std::size_t most = core_->facts().options.max_subscription_bytes;
    return bytes <= freed ||
           ((others == 0 || subscribed_bytes_ + others + bytes <= most) && has_budget_for(bytes, freed));
}

void server_lifecycle::add_waiting(std::size_t bytes, std::size_t freed) noexcept
{
    waiting_bytes_ = waiting_bytes_ - freed + bytes;
    count();
}

void server_lifecycle::remove_waiting(std::size_t bytes) noexcept
{
    waiting_bytes_ -= bytes;
    count();
}

// A client may have something dropped at each publication.
void server_lifecycle::log_untold(const topic& about)
{
    if (untold_log_.allows(log_throttle::clock::now()))
        log(std::string(about.notification) + ": too much waits for the client, which is not told of all that changes");
}

void server_lifecycle::on_list_changed(feature_kind of) noexcept
{
    {
        const std::lock_guard lock(mutex_);
        news_.lists[static_cast<std::size_t>(of)] = true;
        news_.has_other_methods = true;
    }
    ask_to_catch_up();
}

void server_lifecycle::on_methods_changed() noexcept
{
    {
        const std::lock_guard lock(mutex_);
        news_.has_other_methods = true;
    }
    ask_to_catch_up();
}

// All lists count as changed where there is no memory to compare them.
void server_lifecycle::on_access_changed(const access_view* former, const access_view* now) noexcept
{
    feature_marks changed;
    try {
        changed = core_->methods()->different_lists(former, now);
    } catch (const std::bad_alloc&) {
        changed.fill(true);
    }
    if (changed == feature_marks())
        return;
    {
        const std::lock_guard lock(mutex_);
        for (std::size_t kind = 0; kind != feature_kinds; ++kind)
            news_.lists[kind] = news_.lists[kind] || changed[kind];
    }
    ask_to_catch_up();
}

void server_lifecycle::on_resource_updated(const std::string& uri)
{
    {
        const std::lock_guard lock(mutex_);
        if (!news_.uris.insert(uri).second)
            return; // it will be told
    }
    ask_to_catch_up();
}

void server_lifecycle::on_published(const publication& what)
{
    keep_published(what);
    ask_to_catch_up();
}

// The bound of `has_room_for`, for publications that the session has not taken yet.
void server_lifecycle::keep_published(const publication& what)
{
    std::pair place(what.about.get(), what.key);
    const std::size_t bytes = bytes_of(what.params);
    const std::lock_guard lock(mutex_);
    const auto last = news_.published.find(place);
    const std::size_t freed = last == news_.published.end() ? 0 : bytes_of(last->second.params);
    const std::size_t others = news_.published_bytes - freed;
    if (bytes > freed && others != 0 && others + bytes > core_->facts().options.max_subscription_bytes) {
        news_.untold = what.about;
        return;
    }
    news_.published.insert_or_assign(std::move(place), what);
    news_.published_bytes = others + bytes;
}

// However often something changes before the session comes to it, it is told once.
void server_lifecycle::ask_to_catch_up() noexcept
{
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(is_asked_to_catch_up_, true))
            return;
    }
    try {
        link_->post([self = weak_from_this()](live_session& session) {
            if (const std::shared_ptr<server_lifecycle> still = self.lock())
                still->catch_up(session);
        });
    } catch (const std::bad_alloc&) {
        const std::lock_guard lock(mutex_);
        is_asked_to_catch_up_ = false;
        is_behind_ = true;
    }
}

// The session is told first: a listener's client that asks at once is to see the change.
void server_lifecycle::catch_up(live_session& session)
{
    news fresh;
    {
        const std::lock_guard lock(mutex_);
        fresh = std::exchange(news_, {});
        is_asked_to_catch_up_ = false;
    }
    if (fresh.has_other_methods)
        session.use_methods(core_->methods());
    if (fresh.lists != feature_marks())
        tell_lists(session, fresh.lists);
    for (const std::string& uri : fresh.uris)
        tell_updated(session, uri);
    for (const auto& [of, what] : fresh.published)
        tell_listeners(*what.about, what.key, what.params);
    if (fresh.untold)
        log_untold(*fresh.untold);
    tell_again(session);
}

void server_lifecycle::tell_updated(live_session& session, const std::string& uri)
{
    const std::shared_ptr<const access_view> by = session.access();
    const access_answer may = judge(by.get(), feature_kind::resource, uri).is;
    if (may != access_answer::allowed && may != access_answer::needs_proof) // that it has changed needs none
        return;
    if (subscribed_.contains(uri) && stage_ == stage::operating)
        tell(session, std::string(uris_topic.notification), uri);
    tell_listeners(uris_topic, uri, nullptr);
}

void server_lifecycle::tell_listeners(const topic& about, const std::string& key, const told_params_ptr& params)
{
    for (topic_listener* const one : listeners_)
        one->on_change(about, key, params);
}

void server_lifecycle::tell_lists(live_session& session, const feature_marks& changed)
{
    std::set<std::string_view> told;
    for (std::size_t kind = 0; kind != feature_kinds; ++kind) {
        if (!changed[kind])
            continue;
        const topic& about = topic_of(static_cast<feature_kind>(kind));
        told.insert(about.notification);
        tell_listeners(about, {}, nullptr);
    }
    if (stage_ != stage::operating)
        return;
    for (const std::string_view method : told)
        tell(session, std::string(method), {});
}

void server_lifecycle::tell_again(live_session& session)
{
    for (auto place = under_way_.begin(); place != under_way_.end(); ++place)
        if (place->second == telling::due)
            send(session, place);
}

// A client that does not read is told once of all that changes meanwhile.
void server_lifecycle::tell(live_session& session, const std::string& method, const std::string& uri)
{
    const auto [place, is_new] = under_way_.try_emplace({method, uri}, telling::on_its_way);
    if (is_new)
        send(session, place);
    else if (place->second == telling::on_its_way)
        place->second = telling::outdated;
}

void server_lifecycle::send(live_session& session, told_map::iterator place)
{
    const auto& [method, uri] = place->first;
    call_params params = uri.empty() ? call_params(nullptr) : call_params(json::object{{"uri", uri}});
    place->second = telling::on_its_way;
    session.notify(method, std::move(params))([self = weak_from_this(), place](error_code, const call_result<void>&) {
        if (const std::shared_ptr<server_lifecycle> still = self.lock())
            still->on_told(place);
    });
}

// What it throws would leave `io_context::run`.
void server_lifecycle::on_told(told_map::iterator place) noexcept
{
    if (place->second == telling::on_its_way) {
        under_way_.erase(place);
        return;
    }
    place->second = telling::due;
    ask_to_catch_up();
}

} // namespace partyline::mcp
