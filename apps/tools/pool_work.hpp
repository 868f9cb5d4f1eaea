#pragma once

#include "stop_check.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/system/error_code.hpp>

#include <atomic>
#include <memory>
#include <type_traits>
#include <utility>

namespace tools {

/// Runs `work(is_stopped)` on a pool.
///
/// Completes with   void(error_code, what the work returned), on `home`; never fails
/// Cancellation     terminal, partial, total: `is_stopped` is true from then on, and what the work makes of it is its
///                  result
/// Before           the work throws nothing; the context of `home` outlives the pool
/// Threads          to be started and cancelled on `home`
template <class Work>
auto run_on_pool(boost::asio::any_io_executor pool, boost::asio::any_io_executor home, Work work)
{
    namespace asio = boost::asio;
    using result = std::invoke_result_t<Work&, const stop_check&>;
    const auto begin = [](auto handler, asio::any_io_executor there, asio::any_io_executor back, Work what) {
        const auto stop = std::make_shared<std::atomic<bool>>(false);
        if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected())
            slot.assign([stop](asio::cancellation_type) { *stop = true; });
        // The context has work until this has completed there.
        asio::any_io_executor busy = asio::prefer(back, asio::execution::outstanding_work.tracked);
        asio::post(there, [handler = std::move(handler), what = std::move(what), busy = std::move(busy),
                           stop]() mutable {
            result made = what([stop] { return stop->load(); });
            const asio::any_io_executor to = asio::prefer(busy, asio::execution::outstanding_work.untracked);
            auto complete = [handler = std::move(handler), made = std::move(made), busy = std::move(busy)]() mutable {
                if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected())
                    slot.clear();
                std::move(handler)(boost::system::error_code(), std::move(made));
            };
            asio::post(to, std::move(complete));
        });
    };
    return asio::async_initiate<const asio::deferred_t, void(boost::system::error_code, result)>(
        begin, asio::deferred, std::move(pool), std::move(home), std::move(work));
}

} // namespace tools
