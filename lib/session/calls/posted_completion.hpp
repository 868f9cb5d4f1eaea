#pragma once

#include <partyline/config.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>

#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace partyline {

/// What a completion does to be called where it has to be: all of it that does not depend on what is told, compiled
/// once.
class completion_base {
protected:
    explicit completion_base(boost::asio::any_io_executor home) noexcept : home_(std::move(home)) {}
    completion_base(completion_base&&) = default;
    ~completion_base() = default;

    const boost::asio::any_io_executor& home() const noexcept { return home_; }
    /// The handler has this executor, which is kept at work until it is called.
    PARTYLINE_EXPORT void associate(const boost::asio::any_completion_executor& own);
    /// Has `tell()` called there, once, by way of `home`, which there is none of afterwards; `hold` keeps this alive
    /// until then.
    PARTYLINE_EXPORT void post(std::shared_ptr<void> hold) noexcept;

private:
    virtual void tell() = 0;

    boost::asio::any_io_executor home_;
    boost::asio::any_completion_executor work_;
    bool is_elsewhere_ = false; // has an executor of its own
};

/// Calls a completion handler once: never from within, and by way of `home`, an executor that is known to live as long.
/// Tracks outstanding work on the handler's own executor until then. Posting is tried twice when memory is short.
template <class... T>
class completion final : private completion_base {
public:
    using handler = boost::asio::any_completion_handler<void(T...)>;

    completion(handler told, boost::asio::any_io_executor home)
        : completion_base(std::move(home)), told_(std::move(told))
    {
        if (this->home())
            associate(boost::asio::get_associated_executor(told_, boost::asio::any_completion_executor(this->home())));
    }
    completion(completion&&) = default;

    /// `hold` keeps this alive until then. Where there is no home any more, as for a handler that the session gave up,
    /// nobody can be told: who waits goes away with this.
    void operator()(std::shared_ptr<void> hold, T... results) noexcept
    {
        if (!home())
            return;
        results_.emplace(std::move(results)...);
        post(std::move(hold));
    }

    /// Has `cancel` called when the caller cancels; to be set before anybody else may cancel. The slot is the caller's
    /// and is not cleared: at the end it may be gone, or in use on another thread. So `cancel` may be called after the
    /// end, and is kept as long as the slot: it has to own nothing.
    template <class Cancel>
    void on_cancel(Cancel cancel)
    {
        auto slot = boost::asio::get_associated_cancellation_slot(told_);
        if (slot.is_connected())
            slot.assign([cancel = std::move(cancel)](boost::asio::cancellation_type) { cancel(); });
    }

private:
    void tell() override
    {
        std::apply([this](T&... results) { std::move(told_)(std::move(results)...); }, *results_);
    }

    handler told_;
    std::optional<std::tuple<T...>> results_; // here, since what is posted may be lost for want of memory
};

} // namespace partyline
