#include "interruption.hpp"

#include <chrono>
#include <csignal>
#include <utility>

namespace call {

interruption::interruption(boost::asio::io_context& context, reporter& told, std::function<bool()> cancel_all)
    : context_(&context), told_(&told), cancel_all_(std::move(cancel_all)), signals_(context), patience_(context)
{
}

void interruption::watch()
{
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    wait_signal();
}

void interruption::wait_signal()
{
    signals_.async_wait([this](partyline::error_code stopped, int number) {
        if (stopped)
            return;
        wait_signal();
        on_signal(number);
    });
}

void interruption::on_signal(int number)
{
    told_->note_signal(number);
    if (std::exchange(has_come_, true) || !cancel_all_())
        return context_->stop();
    patience_.expires_after(std::chrono::seconds(3));
    patience_.async_wait([this](partyline::error_code stopped) {
        if (stopped)
            return;
        told_->complain("the server takes too long to end", verdict::no_reply);
        context_->stop();
    });
}

} // namespace call
