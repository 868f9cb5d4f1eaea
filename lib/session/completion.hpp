#pragma once

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>

#include <utility>

namespace partyline {

/// Who is told the end of an operation, once: never from within, and by way of an executor that is known to live as long.
/// Its own executor is kept at work until then.
template <class... T>
class completion {
public:
    using handler = boost::asio::any_completion_handler<void(T...)>;

    completion(handler told, boost::asio::any_io_executor home)
        : told_(std::move(told)), home_(std::move(home))
    {
        if (home_)
            work_ = boost::asio::prefer(
                boost::asio::get_associated_executor(told_, boost::asio::any_completion_executor(home_)),
                boost::asio::execution::outstanding_work.tracked);
    }
    completion(completion&&) = default;

    /// Where there is no home any more, as for a handler that the session gave up, nobody can be told: who waits goes away
    /// with this.
    void operator()(T... results)
    {
        if (!home_)
            return;
        boost::asio::post(home_, boost::asio::append(std::move(told_), std::move(results)...));
        home_ = {};
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

private:
    handler told_;
    boost::asio::any_io_executor home_;
    boost::asio::any_completion_executor work_;
};

} // namespace partyline
