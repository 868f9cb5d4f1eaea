#include "fleet/wire/names.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>

namespace partyline::fleet {
namespace {

constexpr std::string_view queues = "pl.q.";
constexpr std::string_view cancels = "pl.c.";
constexpr std::string_view replies = "pl.r.";
constexpr std::string_view workers = "pl.w.";

std::string joined(std::string_view first, std::string_view second)
{
    std::string text(first);
    return text.append(second);
}

// Takes the first token of a subject away, with its point.
std::string_view take_token(std::string_view& rest) noexcept
{
    const std::size_t end = std::min(rest.find('.'), rest.size());
    const std::string_view token = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return token;
}

bool take_prefix(std::string_view& rest, std::string_view prefix) noexcept
{
    if (!rest.starts_with(prefix))
        return false;
    rest.remove_prefix(prefix.size());
    return true;
}

} // namespace

std::string checked_service(std::string name, std::string_view user)
{
    if (!is_name(name))
        throw std::invalid_argument(std::string(user) + ": the name of a service is 1 to 64 letters, digits, _ and -");
    return name;
}

std::optional<std::uint64_t> read_number(std::string_view text) noexcept
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || text[0] < '1' || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

std::string call_id::text() const
{
    return front + '.' + std::to_string(number);
}

std::optional<call_id> call_id::read(std::string_view text)
{
    const std::size_t point = text.find('.');
    const std::string_view front = text.substr(0, point);
    const auto number = point == text.npos ? std::nullopt : read_number(text.substr(point + 1));
    if (!is_name(front) || !number)
        return std::nullopt;
    return call_id{std::string(front), *number};
}

std::string queue_subject(std::string_view service)
{
    return joined(queues, service);
}

std::string cancel_subject(std::string_view service)
{
    return joined(cancels, service);
}

std::string stream_name(std::string_view service)
{
    return joined("PL_", service);
}

std::string pull_subject(std::string_view service)
{
    return "$JS.API.CONSUMER.MSG.NEXT." + stream_name(service) + '.' + std::string(consumer_name);
}

std::string claim_subject(std::string_view id)
{
    return "$KV." + std::string(claims_bucket) + '.' + std::string(id);
}

std::string reply_prefix(std::string_view front)
{
    return joined(replies, front);
}

std::string reply_subject(std::string_view id)
{
    return joined(replies, id);
}

std::string attempt_subject(const call_id& id, std::uint64_t attempt)
{
    return reply_subject(id.text()) + '.' + std::to_string(attempt);
}

std::string session_subject(const call_id& id)
{
    return reply_prefix(id.front) + ".m." + std::to_string(id.number);
}

std::string run_session_subject(std::string_view run)
{
    const call_id at = call_id::read(run).value_or(call_id());
    return worker_subject(at.front, worker_use::session, at.number);
}

std::optional<front_subject> read_front_subject(std::string_view subject, std::string_view front)
{
    if (!take_prefix(subject, replies) || !take_prefix(subject, front) || !take_prefix(subject, "."))
        return std::nullopt;
    if (take_prefix(subject, "m.")) {
        const auto session = read_number(subject);
        return session ? std::optional(front_subject{*session, 0, true}) : std::nullopt;
    }
    const bool has_attempt = subject.find('.') != subject.npos;
    const auto number = read_number(take_token(subject));
    const auto attempt = has_attempt ? read_number(subject) : std::optional<std::uint64_t>(0);
    if (!number || !attempt)
        return std::nullopt;
    return front_subject{*number, *attempt, false};
}

std::string worker_subject(std::string_view worker, worker_use use, std::uint64_t number)
{
    std::string text = joined(workers, worker);
    text += '.';
    text += static_cast<char>(use);
    return text + '.' + std::to_string(number);
}

std::string worker_subjects(std::string_view worker, worker_use use)
{
    std::string text = joined(workers, worker);
    text += '.';
    text += static_cast<char>(use);
    return text + ".>";
}

std::optional<received_at> read_worker_subject(std::string_view subject, std::string_view worker)
{
    if (!take_prefix(subject, workers) || !take_prefix(subject, worker) || !take_prefix(subject, "."))
        return std::nullopt;
    const std::string_view use = take_token(subject);
    const auto number = read_number(subject);
    if (!number || (use != "p" && use != "k" && use != "c" && use != "m" && use != "s"))
        return std::nullopt;
    return received_at{static_cast<worker_use>(use[0]), *number};
}

bool is_confirmation_subject(std::string_view subject)
{
    if (!subject.starts_with(workers))
        return false;
    std::string_view rest = subject.substr(workers.size());
    const std::string_view worker = take_token(rest);
    const auto at = read_worker_subject(subject, worker);
    return is_name(worker) && at && at->use == worker_use::confirmation;
}

bool is_ack_subject(std::string_view subject) noexcept
{
    return subject.starts_with("$JS.ACK.") && subject.find_first_of(" \t\r\n*>") == subject.npos;
}

// $JS.ACK.STREAM.CONSUMER.DELIVERIES and four more, or with a domain and an account before the stream, and then more
// at the end as well.
std::uint64_t deliveries_of(std::string_view ack_subject) noexcept
{
    constexpr std::ptrdiff_t shortest = 9;
    const std::ptrdiff_t tokens = 1 + std::count(ack_subject.begin(), ack_subject.end(), '.');
    if (!is_ack_subject(ack_subject) || tokens < shortest)
        return 0;
    for (std::size_t before = tokens == shortest ? 4 : 6; before > 0; --before)
        take_token(ack_subject);
    return read_number(take_token(ack_subject)).value_or(0);
}

} // namespace partyline::fleet
