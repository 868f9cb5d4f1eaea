#include "calls_in_flight.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <utility>

namespace asio = boost::asio;

namespace call {

using partyline::error_code;
using partyline::response;

calls_in_flight::calls_in_flight(const asio::any_io_executor& executor, reporter& told, std::size_t most)
    : told_(&told), most_(most), has_one_ended_(executor)
{
}

void calls_in_flight::start(request what, const call_function& begin)
{
    const auto call = std::make_shared<one>(std::move(what));
    auto done = [this, call, at = open_.insert(open_.end(), call)](error_code failed, const response& reply) {
        finish(at, failed, reply);
    };
    begin(call->what, asio::bind_cancellation_slot(
                          call->cancel.slot(), asio::bind_executor(has_one_ended_.get_executor(), std::move(done))));
}

void calls_in_flight::cancel_all()
{
    is_cancelled_ = true;
    for (const std::shared_ptr<one>& call : open_)
        call->cancel.emit(asio::cancellation_type::all); // none completes from within
}

asio::awaitable<void> calls_in_flight::room()
{
    return fewer_than(most_);
}

asio::awaitable<void> calls_in_flight::none_left()
{
    return fewer_than(1);
}

void calls_in_flight::finish(place at, error_code failed, const response& reply)
{
    const std::shared_ptr<one> call = std::move(*at);
    open_.erase(at);
    has_one_ended_.set();
    if (failed != asio::error::operation_aborted || !is_cancelled_)
        told_->take(call->what, failed, reply, std::chrono::steady_clock::now() - call->begun);
}

asio::awaitable<void> calls_in_flight::fewer_than(std::size_t count)
{
    error_code woken;
    while (open_.size() >= count) {
        has_one_ended_.reset();
        co_await has_one_ended_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
}

partyline::call_params params_for(const request& what)
{
    if (what.params.empty())
        return nullptr;
    return what.params;
}

} // namespace call
