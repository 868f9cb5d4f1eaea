#include "fleet/channel/channel_table.hpp"

#include "fleet/wire/names.hpp"
#include "session/persistent_post.hpp"
#include "transport/session_driver.hpp"

#include <boost/asio/error.hpp>

#include <new>

namespace partyline::fleet {
namespace {

constexpr auto never = channel_table::time_point::max();

} // namespace

void channel_table::add(std::uint64_t number, const std::shared_ptr<channel>& one)
{
    all_.emplace(number, entry{one, never});
    try {
        due_.add(never, number);
    } catch (const std::bad_alloc&) {
        all_.erase(number);
        throw;
    }
    one->set_number(number);
    on_changed(*one);
}

std::shared_ptr<channel> channel_table::find(std::uint64_t number) const
{
    const auto found = all_.find(number);
    return found == all_.end() ? nullptr : found->second.one;
}

std::optional<channel_table::time_point> channel_table::next_due() const
{
    const std::optional<time_point> next = due_.next();
    return next == never ? std::nullopt : next;
}

bool channel_table::is_for(const channel_message& message, std::uint64_t number) const
{
    if (side_ == side::front)
        return message.id == call_id{name_, number};
    return message.run == call_id{name_, number}.text();
}

void channel_table::on_message(std::uint64_t number, std::string_view payload, time_point now)
{
    auto read = read_channel_message(payload);
    const std::shared_ptr<channel> one = read ? find(number) : nullptr;
    if (one && is_same(*one, *read.value))
        return one->on_message(std::move(*read.value), now);
    if (!read || !is_for(*read.value, number))
        ++dropped_;
    else if (!one || !one->is_opening()) // else it comes again
        refuse(*read.value);
}

bool channel_table::is_same(channel& one, const channel_message& message)
{
    return one.core() && one.core()->ends().id == message.id && one.core()->ends().run == message.run;
}

void channel_table::refuse_unknown(const channel_message& message)
{
    const std::shared_ptr<channel> one = find(message.id.number);
    if (!one || !is_same(*one, message))
        refuse(message);
}

// Not what says so itself: two that do not know each other would never end.
void channel_table::refuse(const channel_message& message)
{
    if (message.is == channel_message::kind::abort)
        return;
    channel_message unknown;
    unknown.id = message.id;
    unknown.run = message.run;
    unknown.is = channel_message::kind::abort;
    const std::string to = side_ == side::front ? run_session_subject(message.run) : session_subject(message.id);
    told_->publish_now({make_publication(to, write_channel_message(unknown))});
}

// Each that is there when its turn comes: what is done with one may remove it, and others.
template <class Action>
void channel_table::for_each(Action action)
{
    for (auto next = all_.begin(); next != all_.end();) {
        const std::uint64_t number = next->first;
        const std::shared_ptr<channel> one = next->second.one;
        try {
            action(*one);
        } catch (const std::bad_alloc&) { // the others must not miss it
        }
        next = all_.upper_bound(number);
    }
}

void channel_table::on_connected(time_point now)
{
    for_each([now](channel& one) { one.on_connected(now); });
}

void channel_table::on_time(time_point now)
{
    while (const auto number = due_.due_at(now)) {
        const std::shared_ptr<channel> one = find(*number);
        one->on_time(now);
    }
}

void channel_table::close_all()
{
    for_each([](channel& one) {
        if (const auto session = one.session())
            try_twice([&] { session->close(); });
    });
}

void channel_table::cut_off_all(const partyline::detail::end_reason& why)
{
    for_each([&why](channel& one) { one.cut_off(why); });
}

void channel_table::stop_all()
{
    for_each([](channel& one) {
        if (const auto session = one.session())
            session->stop(boost::asio::error::operation_aborted);
    });
    cut_off_all({errc::session_closed, {}, true, true});
}

void channel_table::on_changed(channel& one)
{
    const auto found = all_.find(one.number());
    if (found == all_.end() || found->second.one.get() != &one)
        return;
    channel_core* const core = one.core();
    note_dropped(found->second);
    std::vector<publication> said = core ? core->take_effects() : std::vector<publication>();
    const time_point due = one.next_due().value_or(never);
    const bool is_earlier = due < due_.next().value_or(never);
    due_.change(found->second.due, due, one.number()); // whatever there is no memory for comes again
    if (!said.empty())
        told_->publish_now(std::move(said));
    if (one.is_over())
        remove(one);
    else if (is_earlier)
        try_twice([this] { told_->on_due_changed(); });
}

void channel_table::note_dropped(entry& known) noexcept
{
    if (const channel_core* const core = known.one->core()) {
        dropped_ += core->dropped() - known.dropped;
        known.dropped = core->dropped();
    }
}

void channel_table::remove(channel& one)
{
    const auto gone = all_.extract(one.number());
    due_.remove(gone.mapped().due, one.number());
    told_->on_channel_end(one.number());
}

} // namespace partyline::fleet
