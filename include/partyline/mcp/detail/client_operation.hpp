#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/client/answers.hpp>
#include <partyline/mcp/client/listed.hpp>
#include <partyline/session/call_result.hpp>
#include <partyline/session/detail/typed_completion.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace partyline::mcp {

class client_core;

namespace detail {

template <class T>
using operation_handler = boost::asio::any_completion_handler<void(error_code, call_result<T>)>;
template <class T>
using throwing_operation_handler = boost::asio::any_completion_handler<partyline::detail::throwing_signature_t<T>>;

/// Runs what a client does where its session runs, and completes the handler on its own executor. Compiled once for
/// each `T` that a client gives.
template <class T>
PARTYLINE_EXPORT void start_operation(std::shared_ptr<client_core> core, task<T> work, operation_handler<T> done);
template <class T>
PARTYLINE_EXPORT void start_throwing(std::shared_ptr<client_core> core, task<T> work,
                                     throwing_operation_handler<T> done);

struct operation_starter {
    template <class Handler, class T>
    void operator()(Handler handler, std::shared_ptr<client_core> core, task<T> work) const
    {
        start_throwing<T>(std::move(core), std::move(work), std::move(handler));
    }
};

/// The same for one who awaits it, wherever that is.
template <class T>
task<T> run_operation(std::shared_ptr<client_core> core, task<T> work)
{
    using signature = partyline::detail::throwing_signature_t<T>;
    auto operation = boost::asio::async_initiate<const boost::asio::deferred_t, signature>(
        operation_starter(), boost::asio::deferred, std::move(core), std::move(work));
    co_return co_await std::move(operation);
}

} // namespace detail
} // namespace partyline::mcp
