#include "session/calls/outgoing_message.hpp"

#include "session/due_time.hpp"

#include <algorithm>
#include <utility>

namespace partyline {

void outgoing_message::on_started(const std::shared_ptr<held_call_host>&, const boost::asio::any_io_executor&) {}

// Linear, since notifications may stand between the calls.
const outgoing_element& outgoing_message::call(std::size_t index) const noexcept
{
    std::size_t at = 0;
    for (;; ++at) {
        if (element(at).is_call && index-- == 0)
            return element(at);
    }
}

std::size_t outgoing_message::bytes() const noexcept
{
    std::size_t sum = 0;
    for (std::size_t i = 0; i != size(); ++i)
        sum += element(i).method.size() + element(i).params.size();
    return sum;
}

outgoing_message::clock::time_point outgoing_message::due() const noexcept
{
    clock::time_point first = clock::time_point::max();
    if (calls == 0)
        return first;
    if (options.timeout().count() != 0)
        first = due_time(begun, options.timeout());
    if (options.idle_timeout().count() != 0)
        first = std::min(first, due_time(last_progress, options.idle_timeout()));
    return first;
}

outgoing_batch::outgoing_batch(std::vector<outgoing_element> elements,
                               completion<error_code, std::vector<response>> done)
    : elements_(std::move(elements)), done_(std::move(done))
{
    calls = static_cast<std::size_t>(
        std::count_if(elements_.begin(), elements_.end(), [](const outgoing_element& e) { return e.is_call; }));
    unsettled_ = calls;
    replies_.resize(calls);
}

void outgoing_batch::settle(std::size_t index, error_code failed, response reply)
{
    replies_[index] = std::move(reply);
    if (failed && !failed_)
        failed_ = failed;
    if (--unsettled_ == 0)
        done_(shared_from_this(), failed_, std::move(replies_));
}

void outgoing_batch::on_sent()
{
    if (calls == 0)
        done_(shared_from_this(), error_code(), {});
}

} // namespace partyline
