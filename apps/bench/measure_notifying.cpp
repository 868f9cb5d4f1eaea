// One request that makes a server send many notifications.

#include "failure.hpp"
#include "measure.hpp"
#include "quote.hpp"
#include "reply_check.hpp"

#include <chrono>

namespace json = boost::json;

namespace bench {
namespace {

// What tells one notification from the next: the value of progress, the one positional parameter of others.
const json::value* value_of(const json::object& notification)
{
    const json::value* params = notification.if_contains("params");
    if (!params || !notification.contains("method") || notification.contains("id"))
        return nullptr;
    if (const json::array* positional = params->if_array())
        return positional->if_contains(0);
    return params->is_object() ? params->get_object().if_contains("value") : nullptr;
}

// They count up; the number they begin with is the server's affair.
void check_notifications(const inbox& received, std::size_t count)
{
    std::optional<std::int64_t> last;
    for (std::size_t i = 0; i < count; ++i) {
        const json::object notification = parse_object(received[i]);
        const json::value* value = value_of(notification);
        if (!value || !value->is_int64())
            throw failure("said something that is none of its notifications: " + quote(received[i]));
        if (last && value->get_int64() != *last + 1)
            throw failure("notification " + std::to_string(*last + 1) + " is missing before " + quote(received[i]));
        last = value->get_int64();
    }
}

void check_call(const request_set& requests, inbox& received, std::size_t notifications)
{
    check_notifications(received, notifications);
    reply_check reply(requests);
    reply.note(received[notifications]);
    reply.finish();
    received.clear();
}

} // namespace

figures notifying(trial& run, const job& job)
{
    using clock = std::chrono::steady_clock;
    random_source random(job.seed);
    clock::duration time{};
    for (std::size_t i = 0; i < job.requests; ++i) {
        const request_set call({.method = job.method, .fill = job.fill, .how = run.server().how}, random);
        const auto begin = clock::now();
        run.wire().exchange(call.text(), job.at_once + 1);
        time += clock::now() - begin;
        check_call(call, run.wire().received(), job.at_once);
    }
    const auto count = static_cast<double>(job.requests * job.at_once);
    const std::chrono::duration<double> seconds = time;
    const std::chrono::duration<double, std::micro> cpu = run.finish();
    return {{"cpu_us", cpu.count() / count}, {"per_second", count / seconds.count()}};
}

} // namespace bench
