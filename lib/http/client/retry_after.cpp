#include "http/client/retry_after.hpp"

#include "http/wire/characters.hpp"
#include "http/wire/http_date.hpp"

#include <algorithm>

namespace partyline::http {
namespace {

using std::chrono::seconds;

constexpr std::size_t most_digits = 9;

std::optional<seconds> read_seconds(std::string_view text)
{
    if (text.empty() || text.size() > most_digits || !std::all_of(text.begin(), text.end(), is_digit))
        return std::nullopt;
    int count = 0;
    for (const char digit : text)
        count = count * 10 + (digit - '0');
    return seconds(count);
}

} // namespace

std::optional<seconds> retry_after(const received_head& head, std::chrono::sys_seconds now)
{
    if (head.status != 503 && head.status != 429)
        return std::nullopt;
    const std::string_view told = head.find("retry-after");
    if (const std::optional<seconds> count = read_seconds(told))
        return count;
    const std::optional<std::chrono::sys_seconds> moment = read_http_date(told, now);
    if (!moment)
        return std::nullopt;
    return std::max(*moment - now, seconds::zero());
}

} // namespace partyline::http
