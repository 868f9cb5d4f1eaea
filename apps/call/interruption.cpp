#include "interruption.hpp"

#include <boost/asio/post.hpp>

#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
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
    at_signal.force = [this](int number) { force_end(number); };
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
        told_->complain("the server takes too long to end", verdict::no_reply);
        context_->stop();
    });
}

// Not on the context's thread. What is destroyed in order does not leave a server behind.
void interruption::force_end(int number)
{
    constexpr std::chrono::milliseconds longest(500);
    const auto has_stopped = std::make_shared<std::promise<void>>();
    std::future<void> stopped = has_stopped->get_future();
    asio::post(*context_, [this, number, has_stopped] {
        told_->note_signal(number);
        context_->stop();
        has_stopped->set_value();
    });
    if (stopped.wait_for(longest) != std::future_status::ready)
        std::_Exit(128 + number);
}

} // namespace call
