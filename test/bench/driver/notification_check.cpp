#include "notification_check.hpp"

#include "reply_check.hpp"
#include "wire.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace json = boost::json;

namespace bench {
namespace {

// What tells one notification from the next: the value of progress, the index of a part, the one positional parameter
// of others.
const json::value* value_of(const json::object& notification)
{
    const json::value* params = notification.if_contains("params");
    if (!params || !notification.contains("method") || notification.contains("id"))
        return nullptr;
    if (const json::array* positional = params->if_array())
        return positional->if_contains(0);
    if (!params->is_object())
        return nullptr;
    const json::value* const index = params->get_object().if_contains("index");
    return index ? index : params->get_object().if_contains("value");
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

} // namespace

void check_notifying_call(const request_set& requests, inbox& received, std::size_t notifications)
{
    check_notifications(received, notifications);
    reply_check reply(requests);
    reply.note(received[notifications]);
    reply.finish();
    received.clear();
}

} // namespace bench
