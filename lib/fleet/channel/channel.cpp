#include "fleet/channel/channel.hpp"

#include "session/persistent_post.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <string_view>

namespace asio = boost::asio;

namespace partyline::fleet {
namespace {

constexpr std::chrono::seconds closing_time{10};

} // namespace

channel::channel(asio::any_io_executor executor, std::weak_ptr<carrier> by, opener open)
    : executor_(std::move(executor)), carrier_(std::move(by)), opener_(std::move(open))
{
}

channel::channel(asio::any_io_executor executor, std::weak_ptr<carrier> by, channel_core core)
    : executor_(std::move(executor)), carrier_(std::move(by)), core_(std::move(core))
{
}

void channel::begin()
{
    if (const opener open = std::exchange(opener_, {}))
        open(shared_from_this());
}

void channel::open(channel_core core)
{
    core_.emplace(std::move(core));
    tell_carrier();
    go_on_soon();
}

void channel::fail(end_reason why)
{
    if (!failed_)
        failed_ = std::move(why);
    tell_carrier();
    go_on_soon();
}

void channel::cut_off(end_reason why)
{
    if (core_)
        core_->abort();
    fail(std::move(why));
}

void channel::on_message(channel_message message, time_point now)
{
    try {
        core_->on_message(std::move(message), now);
    } catch (const std::bad_alloc&) { // as if it had been lost
    }
    update(now);
}

void channel::on_connected(time_point now)
{
    if (!core_)
        return;
    core_->on_connected(now);
    update(now);
}

void channel::on_time(time_point now)
{
    if (core_)
        core_->on_time(now);
    update(now);
}

// What has changed may let the stream go on, or be of interest to nobody any more.
void channel::update(time_point now)
{
    const auto self = shared_from_this();
    is_closed_ ? finish_closed(now) : go_on();
    tell_carrier();
}

// What was said is said: whoever has written it must not take it for unsaid.
void channel::tell_carrier() noexcept
{
    const auto by = carrier_.lock();
    if (!by)
        return;
    try {
        by->on_changed(*this);
    } catch (const std::bad_alloc&) { // it is told of the next change
    }
}

std::optional<channel::time_point> channel::next_due() const noexcept
{
    const std::optional<time_point> due = core_ ? core_->next_due() : std::nullopt;
    if (!core_ || core_->is_settled() || !closed_until_)
        return due;
    return due ? std::min(*due, *closed_until_) : *closed_until_;
}

// Nobody reads any more. What was written is for the other side, which may take some time, but not to write on.
void channel::finish_closed(time_point now)
{
    if (!core_)
        return;
    std::array<char, 1024> unwanted;
    while (core_->read(asio::buffer(unwanted), now) != 0) {
    }
    if (!closed_until_)
        closed_until_ = now + closing_time;
    const bool is_late = now >= *closed_until_;
    if (is_late || !core_->is_finished() || (core_->is_confirmed() && !core_->has_ended()))
        core_->abort();
}

bool channel::is_readable() const noexcept
{
    return is_lost() || (core_ && (core_->has_bytes() || core_->has_ended()));
}

bool channel::is_writable() const noexcept
{
    return is_lost() || (core_ && core_->has_room());
}

void channel::go_on()
{
    if (is_readable())
        read_on();
    if (is_writable())
        write_on();
    if (is_lost()) {
        if (const auto told = std::exchange(watch_, {}).lock())
            told->on_hang_up();
    }
}

void channel::read_on()
{
    if (const auto told = std::exchange(wait_, {}).lock())
        return told->on_readable();
    const auto next = std::exchange(read_, std::nullopt);
    const auto told = next ? next->told.lock() : nullptr;
    if (!told)
        return;
    error_code failed;
    const std::size_t count = try_read(next->target, failed);
    told->on_read(failed, count);
}

void channel::write_on()
{
    const auto next = std::exchange(write_, std::nullopt);
    const auto told = next ? next->told.lock() : nullptr;
    if (!told)
        return;
    error_code failed;
    std::size_t count = 0;
    try {
        count = try_write(next->source, failed);
    } catch (const std::bad_alloc&) { // whoever waits must hear of it
        failed = asio::error::no_memory;
    }
    told->on_written(failed, count);
}

// Never from within what the stream's user does.
void channel::go_on_soon()
{
    if (is_going_on_ || !(is_readable() || is_writable()))
        return;
    post_persistently(executor_, [self = shared_from_this()] {
        self->is_going_on_ = false;
        if (!self->is_closed_)
            self->go_on();
    });
    is_going_on_ = true;
}

void channel::start_read(asio::mutable_buffer target, std::weak_ptr<stream_user> told)
{
    watch_.reset();
    read_ = {target, std::move(told)};
    begin();
    go_on_soon();
}

void channel::start_wait(std::weak_ptr<stream_user> told)
{
    watch_.reset();
    wait_ = std::move(told);
    begin();
    go_on_soon();
}

void channel::start_write(asio::const_buffer source, std::weak_ptr<stream_user> told)
{
    write_ = {source, std::move(told)};
    begin();
    go_on_soon();
}

void channel::start_watch(std::weak_ptr<stream_user> told)
{
    watch_ = std::move(told);
    if (is_lost())
        go_on_soon();
}

std::size_t channel::try_read(asio::mutable_buffer target, error_code& failed)
{
    std::size_t count = 0;
    if (core_ && core_->has_bytes()) {
        count = core_->read(target, std::chrono::steady_clock::now());
        tell_carrier();
    } else if (core_ && core_->has_ended()) {
        failed = asio::error::eof;
    } else if (failed_) {
        failed = failed_->code;
    } else {
        failed = is_lost() ? asio::error::connection_reset : asio::error::would_block;
    }
    return count;
}

std::size_t channel::try_write(asio::const_buffer source, error_code& failed)
{
    if (is_lost()) {
        failed = failed_ ? failed_->code : error_code(asio::error::broken_pipe);
        return 0;
    }
    const std::string_view bytes(static_cast<const char*>(source.data()), source.size());
    const std::size_t count = core_ ? core_->write(bytes, std::chrono::steady_clock::now()) : 0;
    if (count == 0)
        failed = asio::error::would_block;
    else
        tell_carrier();
    return count;
}

bool channel::close_send() noexcept
{
    if (!core_ || is_lost())
        return false;
    try {
        try_twice([this] { core_->finish(std::chrono::steady_clock::now()); });
    } catch (const std::bad_alloc&) { // the other side hears that this one is gone
        return false;
    }
    tell_carrier();
    return true;
}

void channel::close(std::shared_ptr<stream_user> told)
{
    if (is_closed_)
        return;
    asio::post(executor_, [self = shared_from_this(), told = std::move(told)] {
        self->end_operations();
        if (told)
            told->on_closed();
    });
    is_closed_ = true;
    opener_ = {};
    update(std::chrono::steady_clock::now());
}

void channel::end_operations()
{
    watch_.reset();
    wait_.reset();
    const auto read = std::exchange(read_, std::nullopt);
    if (const auto told = read ? read->told.lock() : nullptr)
        told->on_read(asio::error::operation_aborted, 0);
    const auto write = std::exchange(write_, std::nullopt);
    if (const auto told = write ? write->told.lock() : nullptr)
        told->on_written(asio::error::operation_aborted, 0);
}

void channel::drop() noexcept
{
    opener_ = {};
    read_.reset();
    write_.reset();
    is_closed_ = true; // its carrier sees that, at the latest when its time has come
}

channel::end_reason channel::why_lost() const
{
    if (failed_)
        return *failed_;
    if (is_lost())
        return {errc::peer_gone, "the other side of the session is gone from the bus", true, true};
    return {};
}

} // namespace partyline::fleet
