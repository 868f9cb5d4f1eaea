#pragma once

#include <partyline/config.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>

namespace partyline {

/// Keeps `run()` of a context running from `start()` to `stop()`, and with it the object that this is a member of. The
/// context owns the reference to the object: a context that is destroyed before `stop()` releases the object.
/// Thread safety: none.
class PARTYLINE_EXPORT keep_running {
public:
    explicit keep_running(const boost::asio::any_io_executor& executor);

    /// Once. Throws `std::bad_alloc`.
    void start(std::shared_ptr<const void> kept = nullptr);
    /// Keeps the object from now on. After `start()`; does nothing after `stop()`, or once the context is destroyed.
    void keep(std::shared_ptr<const void> kept) noexcept;
    /// The executor releases the object later, so an object may call this itself. Does nothing before `start()`.
    void stop() noexcept;

private:
    boost::asio::steady_timer never_;                 // does not expire
    std::weak_ptr<std::shared_ptr<const void>> kept_; // belongs to the operation that waits for it
};

} // namespace partyline
