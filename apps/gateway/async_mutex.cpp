#include "gateway/async_mutex.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

namespace asio = boost::asio;

namespace gateway {

/// One who waits, in the frame of its coroutine.
class async_mutex::turn {
public:
    explicit turn(async_mutex& of) : timer(of.executor_, asio::steady_timer::time_point::max()), of_(of)
    {
        place_ = of_.waiting_.insert(of_.waiting_.end(), this);
    }
    // A coroutine may go when its turn has come, before it knows.
    ~turn()
    {
        if (!has_come_)
            of_.waiting_.erase(place_);
        else if (!is_taken_)
            of_.release();
    }
    turn(const turn&) = delete;
    turn& operator=(const turn&) = delete;

    void come() noexcept
    {
        has_come_ = true;
        timer.cancel();
    }
    lock take()
    {
        if (!has_come_)
            throw boost::system::system_error(asio::error::operation_aborted);
        is_taken_ = true;
        return lock(of_);
    }

    asio::steady_timer timer;

private:
    async_mutex& of_;
    std::list<turn*>::iterator place_;
    bool has_come_ = false;
    bool is_taken_ = false;
};

partyline::task<async_mutex::lock> async_mutex::async_lock()
{
    if (!std::exchange(is_held_, true))
        co_return lock(*this);
    turn own(*this);
    auto waiting = own.timer.async_wait(asio::as_tuple(asio::deferred));
    co_await std::move(waiting);
    co_return own.take();
}

void async_mutex::release() noexcept
{
    if (waiting_.empty()) {
        is_held_ = false;
        return;
    }
    turn* const next = waiting_.front();
    waiting_.pop_front();
    next->come();
}

} // namespace gateway
