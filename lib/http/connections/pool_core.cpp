#include "http/connections/pool_core.hpp"

#include "http/connections/client_failure.hpp"
#include "http/connections/idle_rules.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// One for the stream of what the server says unasked, which stays, and one for what ends soon.
constexpr std::size_t control_places = 2;

} // namespace

/// Stands in the queue for a place until it has one, or goes.
struct pool_core::waiter {
    waiter(pool_core& of, places& among, time_limit until) : all(among), turn(of.by_.executor(), until)
    {
        all.waiting.push_back(this);
    }
    ~waiter() { all.waiting.remove(this); }

    places& all;
    asio::steady_timer turn;
    std::optional<place> has; // once it is its turn
};

pool_core::place::~place()
{
    if (core_)
        core_->free_place(is_control_);
}

pool_core::pool_core(connector by)
    : by_(std::move(by)), calls_{by_.options().connections}, control_{control_places}, idle_timer_(by_.executor())
{
}

void pool_core::check_open() const
{
    if (is_closed_)
        throw boost::system::system_error(asio::error::operation_aborted);
}

asio::awaitable<pool_core::place> pool_core::take_place(bool is_control, time_limit until)
{
    check_open();
    places& all = places_for(is_control);
    if (all.taken < all.most && all.waiting.empty()) {
        ++all.taken;
        co_return place(shared_from_this(), is_control);
    }
    waiter mine(*this, all, until);
    error_code woken;
    co_await mine.turn.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    check_open();
    if (mine.has)
        co_return std::move(*mine.has);
    if (woken)
        throw boost::system::system_error(woken);
    fail(errc::timeout, "as many requests as may be are under way, and none has ended in time");
}

void pool_core::free_place(bool is_control) noexcept
{
    places& all = places_for(is_control);
    --all.taken;
    if (is_closed_ || all.waiting.empty())
        return;
    waiter* const next = all.waiting.front();
    ++all.taken;
    all.waiting.pop_front();
    next->has.emplace(shared_from_this(), is_control);
    next->turn.cancel();
}

shared_connection pool_core::take_idle()
{
    while (!idle_.empty()) {
        const idle_connection last = std::move(idle_.back());
        idle_.pop_back();
        if (last.until <= std::chrono::steady_clock::now() || !last.connection->may_be_used_again())
            continue;
        return last.connection;
    }
    return nullptr;
}

asio::awaitable<shared_connection> pool_core::open(time_limit until)
{
    shared_connection opened = co_await by_.open(until);
    check_open();
    std::erase_if(opened_, [](const auto& other) { return other.expired(); }); // also those that were not given back
    opened_.push_back(opened);
    co_return opened;
}

void pool_core::give_back(shared_connection one) noexcept
{
    if (is_closed_ || !one->may_be_used_again())
        return one->close();
    // Without memory none is kept; one without a timer goes with the next that has one.
    try {
        const auto keep_for = idle_time(by_.options().idle_time, one->head().idle_time);
        idle_.push_back({one, std::chrono::steady_clock::now() + keep_for});
        start_idle_timer();
    } catch (const std::bad_alloc&) {
        if (idle_.empty() || idle_.back().connection != one)
            one->close();
    }
}

// They don't stand in the order in which they are to go: each server's answer may tell another time.
void pool_core::start_idle_timer()
{
    if (idle_.empty())
        return;
    const auto first =
        std::min_element(idle_.begin(), idle_.end(), [](const auto& a, const auto& b) { return a.until < b.until; });
    idle_timer_.expires_at(first->until);
    idle_timer_.async_wait([weak = weak_from_this()](error_code failed) {
        const auto self = weak.lock();
        if (!failed && self)
            self->drop_idle();
    });
}

void pool_core::drop_idle()
{
    std::erase_if(idle_,
                  [now = std::chrono::steady_clock::now()](const idle_connection& one) { return one.until <= now; });
    start_idle_timer();
}

void pool_core::close() noexcept
{
    is_closed_ = true;
    idle_.clear();
    idle_timer_.cancel();
    for (const auto& weak : opened_) {
        if (const shared_connection one = weak.lock())
            one->close();
    }
    for (const places* all : {&calls_, &control_}) {
        for (waiter* const one : all->waiting)
            one->turn.cancel();
    }
}

} // namespace partyline::http
