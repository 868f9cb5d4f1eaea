#pragma once

#include "call/input/request.hpp"
#include "call/output/reporter.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/session/call_params.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <utility>

namespace call {

/// The calls that wait for their replies, and whoever waits until there are fewer.
class calls_in_flight {
public:
    using completion = boost::asio::any_completion_handler<void(partyline::error_code, partyline::response)>;
    /// Begins a call, which is cancelled by the slot of `done`.
    using call_function = std::function<void(const request& what, completion done)>;

    /// `told` outlives it, and it outlives its calls.
    calls_in_flight(const boost::asio::any_io_executor& executor, reporter& told, std::size_t most);

    /// Makes a call. Its outcome is reported, but for one that `cancel_all` brings about.
    void start(request what, const call_function& begin);
    void cancel_all();

    /// Waits until there is room for one more.
    boost::asio::awaitable<void> room();
    boost::asio::awaitable<void> none_left();

private:
    struct one {
        explicit one(request r) : what(std::move(r)) {}

        request what;
        std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
        boost::asio::cancellation_signal cancel; // its handler keeps it, since it may live longer than we do
    };
    using place = std::list<std::shared_ptr<one>>::iterator;

    void finish(place at, partyline::error_code failed, const partyline::response& reply);
    boost::asio::awaitable<void> fewer_than(std::size_t count);

    reporter* told_;
    std::size_t most_;
    std::list<std::shared_ptr<one>> open_;
    partyline::async_event has_one_ended_;
    bool is_cancelled_ = false;
};

/// As a session takes them.
partyline::call_params params_for(const request& what);

} // namespace call
