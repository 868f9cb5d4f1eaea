#include "rpc/subscriptions/subscription_state.hpp"

#include "protocol/message/throw_unwritable.hpp"
#include "rpc/subscriptions/subscription_run.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/writer.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline {

subscription_state::subscription_state(std::shared_ptr<const subscription_kind> of, std::uint64_t id,
                                       empty_optionals empty, std::shared_ptr<const subscription_slot> slot)
    : group_member(of->facts), kind_(std::move(of)), id_(id), empty_(empty), slot_(std::move(slot))
{
}

std::shared_ptr<const subscription_slot> subscription_state::slot() noexcept
{
    const std::lock_guard alone(mutex_);
    return slot_;
}

broadcast_ptr subscription_state::write(const char* member, const json::value& value) const
{
    constexpr std::size_t levels_around = 2; // the message, and its params
    byte_buffer text;
    text.append(R"({"subscription":)" + std::to_string(id_) + ",\"" + member + "\":");
    throw_unwritable(write_value(text, value, limits().depth - levels_around));
    text.append("}");
    broadcast_text what{kind_->names.notification, json_text(json_view::checked(text.view()))};
    return std::make_shared<const broadcast_text>(std::move(what));
}

sink_status subscription_state::offer(const broadcast_ptr& what)
{
    const std::lock_guard alone(mutex_); // its end comes before this, or after it
    if (!is_open())
        return sink_status::closed;
    return send(what) ? sink_status::sent : sink_status::full;
}

void subscription_state::start_task(const std::shared_ptr<subscription_run>& serving) noexcept
{
    if (!serving)
        return;
    try {
        const std::lock_guard alone(mutex_); // a cancel comes after the start
        if (is_over_)
            return;
        serving->launch(std::static_pointer_cast<subscription_state>(shared_from_this()));
        running_ = serving;
        return;
    } catch (...) { // and told without the lock
    }
    on_ended(std::make_exception_ptr(rpc_error(error_codes::server_busy, "Server busy")));
}

void subscription_state::cancel_task() noexcept
{
    std::shared_ptr<subscription_run> serving; // goes after the lock: its end may come here, too
    const std::lock_guard alone(mutex_);
    serving = running_.lock();
    if (serving)
        serving->cancel();
}

bool subscription_state::try_finish() noexcept
{
    const std::lock_guard alone(mutex_);
    if (!is_over_ || !is_empty())
        return false;
    slot_.reset();
    return true;
}

void subscription_state::end() noexcept
{
    {
        const std::lock_guard alone(mutex_);
        is_over_ = true;
        slot_.reset();
        drop_last();
    }
    clear();
    cancel_task();
    wake_waiters(false);
    on_over();
}

} // namespace partyline
