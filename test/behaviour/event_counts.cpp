#include "event_counts.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

class place_in_line {
public:
    place_in_line(std::list<asio::steady_timer>& line, const asio::any_io_executor& executor)
        : line_(line), place_(line.emplace(line.end(), executor, asio::steady_timer::time_point::max()))
    {
    }
    place_in_line(const place_in_line&) = delete;
    place_in_line& operator=(const place_in_line&) = delete;
    ~place_in_line() { line_.erase(place_); }

    asio::steady_timer& timer() { return *place_; }

private:
    std::list<asio::steady_timer>& line_;
    std::list<asio::steady_timer>::iterator place_;
};

} // namespace

void event_counts::add(const std::string& what)
{
    ++times_[what];
    for (asio::steady_timer& one : waiting_)
        one.cancel();
}

int event_counts::times(const std::string& what) const
{
    const auto found = times_.find(what);
    return found == times_.end() ? 0 : found->second;
}

asio::awaitable<void> event_counts::wait_for(std::string what, int times)
{
    place_in_line own(waiting_, co_await asio::this_coro::executor);
    error_code woken;
    while (this->times(what) < times) // a cancelled coroutine throws in its second round
        co_await own.timer().async_wait(asio::redirect_error(asio::use_awaitable, woken));
}

} // namespace partyline::test
