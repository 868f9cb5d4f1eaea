#pragma once

#include <partyline/config.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>

namespace partyline {

/// Keeps an object alive that has this, and `run()` of its context running, from `start()` to `stop()`. A context that
/// is destroyed before lets go of the object: what holds it belongs to the context.
/// Thread safety: none.
class PARTYLINE_EXPORT keep_running {
public:
    explicit keep_running(const boost::asio::any_io_executor& executor);

    /// Once. Throws `std::bad_alloc`.
    void start(std::shared_ptr<const void> kept);
    /// The object is let go of later, by its executor. Nothing happens where it has not been started.
    void stop() noexcept;

private:
    boost::asio::steady_timer never_; // does not expire
};

} // namespace partyline
