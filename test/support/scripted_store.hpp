#pragma once

#include <partyline/http/event_store.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace partyline::test {

/// An event store in memory whose calls go as the test says. With `way::complete` it may be called by several threads.
class scripted_store final : public http::event_store {
public:
    enum class way {
        complete,      // at once
        fail,          // with an exception
        throw_at_once, // in place of returning a coroutine
        no_coroutine,  // an empty one
        wait,          // until `release()`; fails where it is cancelled before
        stay           // until `release()`, whether or not it is cancelled
    };

    way appends = way::complete;
    way reads = way::complete;
    std::size_t most_events = 1000;                       // of what is read at once
    std::function<void(http::stored_events&)> forge = {}; // changes what is read
    boost::asio::thread_pool* elsewhere = nullptr;        // each call goes by way of it
    std::vector<std::string> calls = {};                  // "append 1-3", "append 4-5 end", "read 2"
    std::vector<std::string> ended = {};                  // the sessions
    std::map<http::event_stream_key, http::stored_events> streams = {};
    int cancelled = 0;

    /// How many calls wait.
    std::size_t waiting() const noexcept
    {
        return static_cast<std::size_t>(
            std::count_if(held_.begin(), held_.end(), [](const auto& one) { return !one.expired(); }));
    }
    /// Lets those that wait now go on.
    void release()
    {
        for (const auto& each : std::exchange(held_, {})) {
            const std::shared_ptr<hold> one = each.lock();
            if (!one)
                continue;
            one->is_released = true;
            one->timer.cancel();
        }
    }
    /// How many streams are stored to their ends.
    std::size_t complete_streams()
    {
        const std::lock_guard lock(mutex_);
        return static_cast<std::size_t>(
            std::count_if(streams.begin(), streams.end(), [](const auto& one) { return one.second.end != 0; }));
    }

    // http::event_store
    boost::asio::awaitable<void> append(http::event_stream_key to, http::stored_events what) override
    {
        if (is_without_coroutine(appends))
            return {};
        return do_append(std::move(to), std::move(what));
    }
    boost::asio::awaitable<http::stored_events> read(http::event_stream_key of, std::uint64_t from,
                                                     std::size_t max_bytes) override
    {
        if (is_without_coroutine(reads))
            return {};
        return do_read(std::move(of), from, max_bytes);
    }
    boost::asio::awaitable<void> end_session(std::string session) override
    {
        const std::lock_guard lock(mutex_);
        ended.push_back(std::move(session));
        co_return;
    }

private:
    struct hold {
        explicit hold(const boost::asio::any_io_executor& on) : timer(on, boost::asio::steady_timer::time_point::max())
        {
        }
        boost::asio::steady_timer timer;
        bool is_released = false;
    };

    static bool is_without_coroutine(way how)
    {
        if (how == way::throw_at_once)
            throw std::runtime_error("no store today");
        return how == way::no_coroutine;
    }

    boost::asio::awaitable<void> pass(way how)
    {
        if (elsewhere)
            co_await boost::asio::post(elsewhere->get_executor(), boost::asio::use_awaitable);
        if (how == way::complete)
            co_return;
        if (how == way::fail)
            throw std::runtime_error("no store today");
        if (how == way::stay)
            co_await boost::asio::this_coro::reset_cancellation_state(boost::asio::disable_cancellation());
        const boost::asio::any_io_executor on = co_await boost::asio::this_coro::executor;
        const auto one = std::make_shared<hold>(on);
        held_.push_back(one);
        try {
            co_await one->timer.async_wait(boost::asio::use_awaitable);
        } catch (const boost::system::system_error&) {
        }
        if (one->is_released)
            co_return;
        ++cancelled;
        throw boost::system::system_error(boost::asio::error::operation_aborted);
    }

    boost::asio::awaitable<void> do_append(http::event_stream_key to, http::stored_events what)
    {
        co_await pass(appends);
        const std::lock_guard lock(mutex_);
        std::string words = "append";
        if (!what.events.empty())
            words += ' ' + std::to_string(what.events.front().number) + '-' + std::to_string(what.events.back().number);
        calls.push_back(what.end == 0 ? words : words + " end");
        http::stored_events& stream = streams[to];
        for (http::stored_event& one : what.events)
            stream.events.push_back(std::move(one));
        stream.end = std::max(stream.end, what.end);
    }

    boost::asio::awaitable<http::stored_events> do_read(http::event_stream_key of, std::uint64_t from,
                                                        std::size_t max_bytes)
    {
        co_await pass(reads);
        const std::lock_guard lock(mutex_);
        calls.push_back("read " + std::to_string(from));
        http::stored_events found;
        std::size_t bytes = 0;
        for (const http::stored_event& one : streams[of].events) {
            bytes += one.number < from ? 0 : one.message.size();
            if (one.number >= from && found.events.size() < most_events && (bytes <= max_bytes || found.events.empty()))
                found.events.push_back(one);
        }
        found.end = streams[of].end;
        if (forge)
            forge(found);
        co_return found;
    }

    std::mutex mutex_;
    std::vector<std::weak_ptr<hold>> held_; // the calls own them, and so their context does
};

} // namespace partyline::test
