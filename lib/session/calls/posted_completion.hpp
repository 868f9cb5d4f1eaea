#pragma once

#include "session/persistent_post.hpp"

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/prefer.hpp>

#include <memory>
#include <new>
#include <optional>
#include <tuple>
#include <utility>

namespace partyline {

/// Calls a completion handler once: never from within, and by way of `home`, an executor that is known to live as long.
/// Tracks outstanding work on the handler's own executor until then. Posting is tried twice when memory is short.
template <class... T>
class completion {
public:
    using handler = boost::asio::any_completion_handler<void(T...)>;

    completion(handler told, boost::asio::any_io_executor home) : told_(std::move(told)), home_(std::move(home))
    {
        if (!home_)
            return;
        const boost::asio::any_completion_executor here(home_);
        const auto own = boost::asio::get_associated_executor(told_, here);
        if (!own)
            throw std::bad_alloc(); // in Asio 1.26 one that there was no memory for is empty
        is_elsewhere_ = own != here;
        work_ = boost::asio::prefer(own, boost::asio::execution::outstanding_work.tracked);
    }
    completion(completion&&) = default;

    /// `hold` keeps this alive until then. Where there is no home any more, as for a handler that the session gave up,
    /// nobody can be told: who waits goes away with this.
    void operator()(std::shared_ptr<void> hold, T... results) noexcept
    {
        if (!home_)
            return;
        const boost::asio::any_io_executor home = std::exchange(home_, {});
        results_.emplace(std::move(results)...);
        const auto told = [this, hold = std::move(hold)] { tell(); };
        try {
            if (is_elsewhere_)
                post_persistently(home, [at = work_, told] { try_twice([&] { at.execute(told); }); });
            else
                post_persistently(home, told);
        } catch (const std::bad_alloc&) { // twice: then there is nobody who could be told anything
        }
        work_ = {};
    }

    /// Has `cancel` called when whoever waits cancels. Before anybody else may.
    template <class Cancel>
    void on_cancel(Cancel cancel)
    {
        auto slot = boost::asio::get_associated_cancellation_slot(told_);
        if (slot.is_connected())
            slot.assign([cancel = std::move(cancel)](boost::asio::cancellation_type) { cancel(); });
    }

    /// From now on nobody may cancel.
    void forget_cancel() { boost::asio::get_associated_cancellation_slot(told_).clear(); }

private:
    void tell()
    {
        std::apply([this](T&... results) { std::move(told_)(std::move(results)...); }, *results_);
    }

    handler told_;
    std::optional<std::tuple<T...>> results_; // here, since what is posted may be lost for want of memory
    boost::asio::any_io_executor home_;
    boost::asio::any_completion_executor work_;
    bool is_elsewhere_ = false; // has an executor of its own
};

} // namespace partyline
