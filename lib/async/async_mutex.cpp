#include <partyline/async/async_mutex.hpp>

namespace partyline {

struct async_mutex::state {
    explicit state(boost::asio::any_io_executor on) noexcept : executor(std::move(on)) {}

    const boost::asio::any_io_executor executor;
    std::list<waiter*> waiting; // in order of arrival; empty while the mutex is unlocked
    bool is_locked = false;
};

async_mutex::async_mutex(boost::asio::any_io_executor executor) : state_(std::make_shared<state>(std::move(executor)))
{
}

const boost::asio::any_io_executor& async_mutex::get_executor() const noexcept
{
    return state_->executor;
}

bool async_mutex::is_locked() const noexcept
{
    return state_->is_locked;
}

void async_mutex::cancel() noexcept
{
    while (!state_->waiting.empty())
        state_->waiting.front()->abort();
}

void async_mutex::lock::unlock() noexcept
{
    const std::shared_ptr<state> of = std::move(of_);
    if (!of)
        return;
    if (of->waiting.empty())
        of->is_locked = false;
    else
        of->waiting.front()->give();
}

async_mutex::waiter::waiter(std::shared_ptr<state> of) : granted(of->executor), of_(std::move(of))
{
    if (of_->is_locked)
        place_ = of_->waiting.insert(of_->waiting.end(), this);
    else
        give();
}

async_mutex::waiter::~waiter()
{
    if (place_)
        of_->waiting.erase(*place_);
}

// The mutex stays locked from one owner to the next, so operations that are started meanwhile come later.
void async_mutex::waiter::give() noexcept
{
    if (place_)
        of_->waiting.erase(*place_);
    place_.reset();
    of_->is_locked = true;
    given_ = lock(of_);
    granted.set();
}

void async_mutex::waiter::abort() noexcept
{
    of_->waiting.erase(*place_);
    place_.reset();
    granted.cancel();
}

async_mutex::lock async_mutex::waiter::take() noexcept
{
    return std::move(given_);
}

} // namespace partyline
