#include "interruption.hpp"

#include <chrono>
#include <utility>

namespace asio = boost::asio;

namespace call {

interruption::interruption(asio::io_context& context, reporter& told, std::function<bool()> cancel_all)
    : context_(&context), told_(&told), cancel_all_(std::move(cancel_all)), patience_(context)
{
}

void interruption::watch()
{
    command_line::end_signals::duties at_signal;
    at_signal.ask = [this](int number) { on_signal(number); };
    at_signal.on_stop = [this](int number) { told_->note_signal(number); };
    at_signal.survives_gone_reader = false;
    signals_.emplace(*context_, std::move(at_signal));
}

void interruption::on_signal(int number)
{
    told_->note_signal(number);
    has_come_ = true;
    if (!cancel_all_())
        return context_->stop();
    patience_.expires_after(std::chrono::seconds(3));
    patience_.async_wait([this](partyline::error_code stopped) {
        if (stopped)
            return;
        told_->complain("the server takes too long to end", exit_status::no_reply);
        context_->stop();
    });
}

} // namespace call
