#pragma once

#include <partyline/session/call_result.hpp>
#include <partyline/session/operation.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace partyline::test {

/// An operation of a client that a test has begun: `client.tools()(all.token())`.
template <class T>
class begun {
public:
    auto token()
    {
        return boost::asio::bind_cancellation_slot(state_->cancel.slot(),
                                                   [state = state_](error_code failed, call_result<T> outcome) {
                                                       state->failed = failed;
                                                       state->outcome.emplace(std::move(outcome));
                                                       ++state->completions;
                                                   });
    }

    bool has_ended() const { return state_->outcome.has_value(); }
    int completions() const { return state_->completions; }
    error_code failed() const { return state_->failed; }
    call_result<T>& outcome() const { return *state_->outcome; }
    const std::string& details() const { return state_->outcome->details(); }
    void cancel() { state_->cancel.emit(boost::asio::cancellation_type::terminal); }

private:
    struct state {
        error_code failed;
        std::optional<call_result<T>> outcome;
        boost::asio::cancellation_signal cancel;
        int completions = 0;
    };
    std::shared_ptr<state> state_ = std::make_shared<state>();
};

/// The operation as a task.
inline task<void> awaited(operation<void> what)
{
    co_await std::move(what);
}

} // namespace partyline::test
